import { isMembers, type Members } from '../json.ts';
import type { Node } from './node.ts';

/** A JSON value as CEL is given it: what the schema calls an integer is one, and not a fraction that happens to have none. */
export function celValue(node: Node | undefined, value: unknown): unknown {
  if (!node?.hasIntegers) return value;
  if (typeof value === 'number') return node.type === 'integer' && Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => celValue(node.items, item));
  if (!isMembers(value)) return value;
  const made: Members = {};
  for (const name in value) made[name] = celValue(node.properties?.get(name) ?? node.additional, value[name]);
  return made;
}
