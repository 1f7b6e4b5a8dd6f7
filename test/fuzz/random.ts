/** Random numbers that a seed gives again (splitmix32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** The generator of one case: the same for the same seed and number, whatever ran before. */
  static of(seed: number, number: number): Random {
    const random = new Random((seed ^ Math.imul(number + 1, 0x9e3779b1)) >>> 0);
    random.next();
    return random;
  }

  /** 32 bits. */
  next(): number {
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  }

  /** From 0, below `limit`. */
  below(limit: number): number {
    return this.next() % limit;
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  pick<T>(of: readonly [T, ...T[]]): T {
    return of[this.below(of.length)] ?? of[0];
  }

  bytes(length: number): string {
    let text = '';
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.below(256));
    return text;
  }
}
