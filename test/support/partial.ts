/** As much of a thing as a test plays. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it plays
export function partial<T>(value: object): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing would throw, and fail the test
  return value as T;
}
