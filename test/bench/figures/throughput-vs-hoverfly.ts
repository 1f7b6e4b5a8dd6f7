import { defineFigure, NotToBeHad } from '../figure.ts';

/** Requests per second, recording, against Hoverfly in capture mode. */
export default defineFigure({
  name: 'proxy.throughput.vs-hoverfly',
  unit: 'ratio',
  target: 1,
  better: 'higher',
  async measure() {
    throw new NotToBeHad(
      'Hoverfly is a program in Go, released as binaries; neither npm nor PyPI nor the proxy of Go modules, from which reference tools are installed, has a version of it',
    );
  },
});
