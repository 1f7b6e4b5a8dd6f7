const identity = (bytes: Buffer): Buffer => bytes;

/** A method whose messages are bytes: what is measured is what carries them. */
export const unary = {
  path: '/lf.a2a.v1.A2AService/GetTask',
  requestStream: false,
  responseStream: false,
  requestSerialize: identity,
  requestDeserialize: identity,
  responseSerialize: identity,
  responseDeserialize: identity,
} as const;
