/** Words that a subprotocol has before a secret, or that say that the next one is a secret. */
const marker =
  /^((?:[\w-]{1,40}\.){0,6}?(?:bearer|token|auth|authorization|access[_-]?token|jwt|api[_-]?key|ticket)(?:\.authorization\.k8s\.io)?)(?:[.:|~-](.+))?$/i;

/** A JSON Web Token, which needs no word before it. */
const webToken = /^eyJ[\w-]{8,}\./;

/**
 * The values of `Sec-WebSocket-Protocol`. Browsers can set no other header of a WebSocket, so that credentials are put
 * there: `bearer.TOKEN`, `base64url.bearer.authorization.k8s.io.TOKEN`, or a word and the token as two values.
 */
export function splitSubprotocols(
  value: string,
): readonly { readonly kept: string; readonly secret: string }[] {
  let isNext = false;
  return value.split(',').map((part) => {
    const text = part.trim();
    const blanks = part.slice(0, part.length - part.trimStart().length);
    if (isNext || webToken.test(text)) {
      isNext = false;
      return { kept: blanks, secret: text };
    }
    const [, word = '', secret = ''] = marker.exec(text) ?? [];
    if (word === '') return { kept: part, secret: '' };
    if (secret !== '') return { kept: blanks + text.slice(0, text.length - secret.length), secret };
    isNext = true;
    return { kept: part, secret: '' };
  });
}
