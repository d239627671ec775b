/** The member of that name, which somebody else may choose: none of those that every object has, such as `constructor`. Pure. */
export function ownValue<V>(object: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
