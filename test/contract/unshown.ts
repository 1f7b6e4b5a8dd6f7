/**
 * What the examples of a rule cannot show in a dialect that it claims, by rule and dialect, with the reason. An entry
 * that is not needed fails. A message that can come in some dialects only is declared in the rule (`where`).
 */
export const unshown: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'AUTH-001 0.3 GRPC': {
    good: 'the plain format has no scheme of a gRPC call',
    plain: 'the plain format has no scheme of a gRPC call',
  },
  'AUTH-001 1.0 GRPC': {
    good: 'the plain format has no scheme of a gRPC call',
    plain: 'the plain format has no scheme of a gRPC call',
  },
  'AUTH-027 0.1 JSONRPC': { skip: 'every exchange of this dialect has what the rule looks at' },
  'CACHE-011 0.2 JSONRPC': {
    good: 'not yet said in this version: so far an example of another one shows it',
    public: 'not yet said in this version: so far an example of another one shows it',
  },
  'CACHE-011 0.3 GRPC': { good: 'not yet said over gRPC', public: 'not yet said over gRPC' },
  'CACHE-011 0.3 JSONRPC': {
    good: 'not yet said in this version: so far an example of another one shows it',
  },
  'CACHE-011 1.0 GRPC': { good: 'not yet said over gRPC', public: 'not yet said over gRPC' },
  'CANC-001 0.1 JSONRPC': { none: 'not yet said in this version: so far an example of another one shows it' },
  'CANC-001 0.3 HTTP+JSON': { none: 'not yet said over HTTP+JSON of this version' },
  'CANC-002 0.3 GRPC': {
    good: 'not yet said over gRPC',
    other: 'not yet said over gRPC',
    unsupported: 'not yet said over gRPC',
  },
  'CANC-003 0.3 GRPC': { other: 'not yet said over gRPC' },
  'CANC-004 1.0 GRPC': { other: 'not yet said over gRPC' },
  'CANC-004 1.0 HTTP+JSON': { other: 'not yet said over HTTP+JSON of this version' },
  'CANC-006 1.0 GRPC': { open: 'the plain format has no gRPC stream that stays open' },
  'CARD-001 0.1 JSONRPC': {
    object: 'not yet said in this version: so far an example of another one shows it',
  },
  'CARD-001 0.2 JSONRPC': {
    object: 'not yet said in this version: so far an example of another one shows it',
  },
  'CARD-001 0.3 JSONRPC': {
    object: 'not yet said in this version: so far an example of another one shows it',
  },
  'CARD-010 0.3 JSONRPC': {
    downgrade: 'not yet said in this version: so far an example of another one shows it',
    insecure: 'not yet said in this version: so far an example of another one shows it',
    relative: 'not yet said in this version: so far an example of another one shows it',
  },
  'CARD-014 0.3 GRPC': { absent: 'not yet said over gRPC' },
  'CARD-014 1.0 GRPC': { absent: 'not yet said over gRPC' },
  'CARD-015 0.3 GRPC': { url: 'not yet said over gRPC' },
  'CARD-015 1.0 GRPC': { url: 'not yet said over gRPC' },
  'CARD-017 0.2 JSONRPC': {
    form: 'not yet said in this version: so far an example of another one shows it',
    skip: 'every conversation of this version begins with its card',
  },
  'CARD-017 0.3 JSONRPC': { form: 'not yet said in this version: so far an example of another one shows it' },
  'CARD-019 0.1 JSONRPC': { skip: 'every conversation of this version begins with its card' },
  'CARD-019 0.2 JSONRPC': { skip: 'every conversation of this version begins with its card' },
  'CARD-020 0.2 JSONRPC': { skip: 'every conversation of this version begins with its card' },
  'CARD-032 0.3 GRPC': { absent: 'not yet said over gRPC' },
  'CARD-032 0.3 HTTP+JSON': { absent: 'not yet said over HTTP+JSON of this version' },
  'CARD-037 0.2 JSONRPC': { skip: 'every conversation of this version begins with its card' },
  'CARD-038 0.1 JSONRPC': { skip: 'every conversation of this version begins with its card' },
  'EQV-002 0.3 GRPC': {
    artifact: 'not yet said over gRPC',
    context: 'not yet said over gRPC',
    good: 'not yet said over gRPC',
    timestamp: 'not yet said over gRPC',
  },
  'EQV-002 0.3 HTTP+JSON': {
    artifact: 'not yet said over HTTP+JSON of this version',
    context: 'not yet said over HTTP+JSON of this version',
    timestamp: 'not yet said over HTTP+JSON of this version',
  },
  'EQV-002 0.3 JSONRPC': {
    artifact: 'not yet said in this version: so far an example of another one shows it',
    context: 'not yet said in this version: so far an example of another one shows it',
    timestamp: 'not yet said in this version: so far an example of another one shows it',
  },
  'EQV-002 1.0 GRPC': { context: 'not yet said over gRPC', timestamp: 'not yet said over gRPC' },
  'ERR-014 1.0 JSONRPC': { list: 'not yet said in this version: so far an example of another one shows it' },
  'ERR-021 1.0 JSONRPC': {
    absent: 'not yet said in this version: so far an example of another one shows it',
  },
  'GRPC-002 0.3 GRPC': { announced: 'not yet said over gRPC' },
  'GRPC-004 0.3 GRPC': {
    count: 'not yet said over gRPC',
    foreign: 'not yet said over gRPC',
    unreadable: 'not yet said over gRPC',
  },
    forwarded: 'not yet said in this version: so far an example of another one shows it',
    good: 'not yet said in this version: so far an example of another one shows it',
  },
    forwarded: 'not yet said over HTTP+JSON of this version',
    good: 'not yet said over HTTP+JSON of this version',
  },
    forwarded: 'not yet said in this version: so far an example of another one shows it',
    good: 'not yet said in this version: so far an example of another one shows it',
  },
    forwarded: 'not yet said over HTTP+JSON of this version',
    good: 'not yet said over HTTP+JSON of this version',
  },
    forwarded: 'not yet said in this version: so far an example of another one shows it',
    good: 'not yet said in this version: so far an example of another one shows it',
  },
  'HDR-008 1.0 GRPC': { coined: 'not yet said over gRPC' },
  'HDR-008 1.0 HTTP+JSON': {
    changed: 'not yet said over HTTP+JSON of this version',
    coined: 'not yet said over HTTP+JSON of this version',
  },
  'HOOK-004 0.2 JSONRPC': {
    era: 'not yet said in this version: so far an example of another one shows it',
    missing: 'not yet said in this version: so far an example of another one shows it',
  },
  'HOOK-004 0.3 JSONRPC': {
    era: 'not yet said in this version: so far an example of another one shows it',
    missing: 'not yet said in this version: so far an example of another one shows it',
  },
  'HOOK-020 0.2 JSONRPC': { task: 'not yet said in this version: so far an example of another one shows it' },
  'JSON-001 1.0 JSONRPC': { skip: 'every exchange of this dialect has what the rule looks at' },
  'JSON-004 0.3 HTTP+JSON': { zone: 'not yet said over HTTP+JSON of this version' },
  'JSON-018 1.0 GRPC': { good: 'not yet said over gRPC', refused: 'not yet said over gRPC' },
  'JSON-019 1.0 JSONRPC': { skip: 'every exchange of this dialect has what the rule looks at' },
  'JSON-020 0.3 GRPC': { form: 'not yet said over gRPC' },
  'JSON-020 0.3 HTTP+JSON': { form: 'not yet said over HTTP+JSON of this version' },
  'JSON-020 1.0 GRPC': { form: 'not yet said over gRPC' },
  'JSON-022 0.1 JSONRPC': {
    repeated: 'not yet said in this version: so far an example of another one shows it',
    skip: 'every exchange of this dialect has what the rule looks at',
  },
  'JSON-022 0.2 JSONRPC': {
    repeated: 'not yet said in this version: so far an example of another one shows it',
    skip: 'every exchange of this dialect has what the rule looks at',
  },
  'JSON-022 0.3 HTTP+JSON': {
    repeated: 'not yet said over HTTP+JSON of this version',
    syntax: 'not yet said over HTTP+JSON of this version',
    utf8: 'not yet said over HTTP+JSON of this version',
  },
  'JSON-022 0.3 JSONRPC': {
    repeated: 'not yet said in this version: so far an example of another one shows it',
    skip: 'every exchange of this dialect has what the rule looks at',
  },
  'JSON-022 1.0 HTTP+JSON': {
    syntax: 'not yet said over HTTP+JSON of this version',
    utf8: 'not yet said over HTTP+JSON of this version',
  },
  'JSON-022 1.0 JSONRPC': {
    repeated: 'not yet said in this version: so far an example of another one shows it',
    skip: 'every exchange of this dialect has what the rule looks at',
  },
  'JSON-024 0.1 JSONRPC': {
    empty: 'not yet said in this version: so far an example of another one shows it',
    form: 'not yet said in this version: so far an example of another one shows it',
  },
  'JSON-024 0.2 JSONRPC': { form: 'not yet said in this version: so far an example of another one shows it' },
  'JSON-024 0.3 GRPC': { empty: 'not yet said over gRPC', form: 'not yet said over gRPC' },
  'JSON-024 0.3 HTTP+JSON': { form: 'not yet said over HTTP+JSON of this version' },
  'JSON-024 0.3 JSONRPC': { form: 'not yet said in this version: so far an example of another one shows it' },
  'JSON-024 1.0 GRPC': { empty: 'not yet said over gRPC', form: 'not yet said over gRPC' },
  'JSON-034 0.1 JSONRPC': { skip: 'every exchange of this dialect has what the rule looks at' },
  'JSON-034 0.2 JSONRPC': { skip: 'every exchange of this dialect has what the rule looks at' },
  'JSON-035 0.1 JSONRPC': {
    missing: 'not yet said in this version: so far an example of another one shows it',
  },
  'LIFE-017 0.1 JSONRPC': {
    unknown: 'not yet said in this version: so far an example of another one shows it',
  },
  'LIST-014 1.0 GRPC': { unknown: 'not yet said over gRPC' },
  'LIST-014 1.0 HTTP+JSON': { unknown: 'not yet said over HTTP+JSON of this version' },
  'LIST-020 0.1 JSONRPC': {
    served: 'not yet said in this version: so far an example of another one shows it',
  },
  'LIST-020 0.2 JSONRPC': {
    served: 'not yet said in this version: so far an example of another one shows it',
  },
  'OBS-006 0.1 JSONRPC': {
    dropped: 'not yet said in this version: so far an example of another one shows it',
    good: 'not yet said in this version: so far an example of another one shows it',
    restarted: 'not yet said in this version: so far an example of another one shows it',
  },
  'REST-001 1.0 JSONRPC': { good: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route' },
  'REST-002 1.0 JSONRPC': { good: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route' },
  'REST-003 1.0 JSONRPC': {
    good: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route',
    route: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route',
  },
  'REST-004 1.0 JSONRPC': {
    good: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route',
    route: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route',
  },
  'REST-005 1.0 JSONRPC': { good: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route' },
  'REST-006 1.0 JSONRPC': {
    good: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route',
    refused: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route',
  },
  'REST-007 1.0 JSONRPC': { good: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route' },
  'REST-008 1.0 JSONRPC': {
    good: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route',
    route: 'over JSON-RPC the rule finds only calls that went to an HTTP+JSON route',
  },
  'RPC-001 1.0 JSONRPC': { path: 'not yet said in this version: so far an example of another one shows it' },
  'RPC-008 0.1 JSONRPC': {
    stream: 'not yet said in this version: so far an example of another one shows it',
  },
  'RPC-008 0.2 JSONRPC': {
    stream: 'not yet said in this version: so far an example of another one shows it',
  },
  'RPC-008 0.3 JSONRPC': {
    stream: 'not yet said in this version: so far an example of another one shows it',
  },
  'RPC-010 1.0 JSONRPC': {
    both: 'not yet said in this version: so far an example of another one shows it',
    event: 'not yet said in this version: so far an example of another one shows it',
  },
  'RPC-012 0.1 JSONRPC': {
    result: 'not yet said in this version: so far an example of another one shows it',
  },
  'RPC-012 0.2 JSONRPC': {
    result: 'not yet said in this version: so far an example of another one shows it',
  },
  'RPC-012 0.3 JSONRPC': {
    result: 'not yet said in this version: so far an example of another one shows it',
  },
  'SEL-002 0.3 GRPC': { url: 'not yet said over gRPC' },
  'SEL-002 1.0 GRPC': { url: 'not yet said over gRPC' },
  'SEL-006 1.0 GRPC': { other: 'not yet said over gRPC' },
  'SEL-006 1.0 HTTP+JSON': { other: 'not yet said over HTTP+JSON of this version' },
  'SEND-003 1.0 GRPC': { neither: 'not yet said over gRPC' },
  'SEND-026 0.1 JSONRPC': {
    context: 'not yet said in this version: so far an example of another one shows it',
    task: 'not yet said in this version: so far an example of another one shows it',
  },
  'SSE-003 0.1 JSONRPC': {
    envelope: 'not yet said in this version: so far an example of another one shows it',
    id: 'not yet said in this version: so far an example of another one shows it',
  },
  'SSE-003 0.2 JSONRPC': {
    envelope: 'not yet said in this version: so far an example of another one shows it',
  },
  'SSE-003 0.3 JSONRPC': {
    envelope: 'not yet said in this version: so far an example of another one shows it',
  },
  'SSE-009 1.0 GRPC': { open: 'the plain format has no gRPC stream that stays open' },
  'SSE-026 0.1 JSONRPC': {
    encoding: 'not yet said in this version: so far an example of another one shows it',
    length: 'not yet said in this version: so far an example of another one shows it',
    unterminated: 'not yet said in this version: so far an example of another one shows it',
  },
  'SSE-026 0.2 JSONRPC': {
    encoding: 'not yet said in this version: so far an example of another one shows it',
    length: 'not yet said in this version: so far an example of another one shows it',
    unterminated: 'not yet said in this version: so far an example of another one shows it',
  },
  'SSE-026 0.3 HTTP+JSON': {
    encoding: 'not yet said over HTTP+JSON of this version',
    unterminated: 'not yet said over HTTP+JSON of this version',
  },
  'SSE-026 0.3 JSONRPC': {
    encoding: 'not yet said in this version: so far an example of another one shows it',
    length: 'not yet said in this version: so far an example of another one shows it',
    unterminated: 'not yet said in this version: so far an example of another one shows it',
  },
  'SSE-026 1.0 HTTP+JSON': {
    encoding: 'not yet said over HTTP+JSON of this version',
    unterminated: 'not yet said over HTTP+JSON of this version',
  },
  'SSE-026 1.0 JSONRPC': {
    length: 'not yet said in this version: so far an example of another one shows it',
  },
  'SSE-037 0.3 HTTP+JSON': { refused: 'not yet said over HTTP+JSON of this version' },
  'SSE-037 1.0 HTTP+JSON': { refused: 'not yet said over HTTP+JSON of this version' },
  'SUB-004 1.0 GRPC': { open: 'the plain format has no gRPC stream that stays open' },
  'TASK-005 0.3 GRPC': {
    good: 'the proto of 0.3 reads 0 as no limit, so that the rule leaves it out',
    many: 'the proto of 0.3 reads 0 as no limit, so that the rule leaves it out',
  },
  'TASK-005 0.3 HTTP+JSON': {
    good: 'the proto of 0.3 reads 0 as no limit, so that the rule leaves it out',
    many: 'the proto of 0.3 reads 0 as no limit, so that the rule leaves it out',
  },
  'VER-001 1.0 GRPC': { absent: 'not yet said over gRPC' },
  'VER-003 0.3 HTTP+JSON': {
    good: 'only a peer that also speaks the other version can be asked, so both are in the examples',
    guessed: 'only a peer that also speaks the other version can be asked, so both are in the examples',
    shape: 'only a peer that also speaks the other version can be asked, so both are in the examples',
  },
  'VER-003 0.3 JSONRPC': {
    guessed: 'only a peer that also speaks the other version can be asked, so both are in the examples',
  },
  'VER-003 1.0 HTTP+JSON': {
    good: 'only a peer that also speaks the other version can be asked, so both are in the examples',
    shape: 'only a peer that also speaks the other version can be asked, so both are in the examples',
  },
  'VER-003 1.0 JSONRPC': {
    shape: 'only a peer that also speaks the other version can be asked, so both are in the examples',
  },
  'VER-009 0.1 JSONRPC': { good: 'not yet said in this version: so far an example of another one shows it' },
  'VER-014 0.1 JSONRPC': {
    guessed: 'not yet said in this version: so far an example of another one shows it',
  },
  'VER-014 0.2 JSONRPC': {
    guessed: 'not yet said in this version: so far an example of another one shows it',
  },
  'XCARD-004 1.0 HTTP+JSON': { good: 'not yet said over HTTP+JSON of this version' },
  'XCARD-005 1.0 HTTP+JSON': { good: 'not yet said over HTTP+JSON of this version' },
};
