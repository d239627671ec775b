/**
 * Parses what the apiserver sent as the type the caller knows it to be: its schemas are the apiserver's to enforce, and
 * fields unknown here must pass through. Throws `SyntaxError`.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one place where JSON gets its type
export function parseJson<T>(text: string): T {
  return JSON.parse(text);
}
