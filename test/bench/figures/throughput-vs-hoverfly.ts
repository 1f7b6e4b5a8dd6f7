import { defineFigure, NotToBeHad } from '../figure.ts';

/** Requests per second, recording, against Hoverfly in capture mode. */
export default defineFigure({
  name: 'proxy.throughput.vs-hoverfly',
  unit: 'ratio',
  target: 1,
  better: 'higher',
  async measure() {
    throw new NotToBeHad(
      'Hoverfly is a program in Go, released as binaries; npm and PyPI, from which reference tools are installed, do not have it',
    );
  },
});
