// An agent that ends before it serves.
process.stderr.write('cannot find my model\n');
process.exitCode = 7;
