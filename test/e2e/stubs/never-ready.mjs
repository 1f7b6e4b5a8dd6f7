// An agent that lives and never says that it serves.
process.stdout.write('loading weights\n');
setInterval(() => {}, 60_000);
