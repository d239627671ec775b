/** `localhost`, `127.0.0.1` and its like, or `[::1]`, with or without a port. */
const LOCAL = /^(localhost|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|\[::1\])(:[0-9]{1,5})?$/i;

/**
 * Whether a request to a loopback address was meant for it. A page of somebody else whose name was made to stand for
 * 127.0.0.1 (DNS rebinding) has a browser send that name here.
 */
export function isMeantForLoopback(host: string | undefined): boolean {
  return host !== undefined && LOCAL.test(host);
}
