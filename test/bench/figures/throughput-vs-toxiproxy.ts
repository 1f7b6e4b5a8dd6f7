import { defineFigure, NotToBeHad } from '../figure.ts';

/** Requests per second against Toxiproxy, which makes faults in TCP. */
export default defineFigure({
  name: 'proxy.throughput.vs-toxiproxy',
  unit: 'ratio',
  target: 1,
  better: 'higher',
  async measure() {
    throw new NotToBeHad(
      'Toxiproxy is a program in Go, released as binaries; npm and PyPI, from which reference tools are installed, have clients of it only',
    );
  },
});
