/** No answer, or one that broke off. The message is for people and names no secrets. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}
