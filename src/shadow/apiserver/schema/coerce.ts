import { isMembers, type Members } from '../json.ts';
import { memberNode, type Node } from './node.ts';

/** The value without what the schema does not know; the value itself where there is nothing of that. */
export function prune(node: Node, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = node;
    if (!items) return value;
    const pruned = value.map((item) => prune(items, item));
    return pruned.some((item, index) => item !== value[index]) ? pruned : value;
  }
  if (!isMembers(value)) return value;
  let isSame = true;
  const kept: Members = {};
  for (const name in value) {
    const member = memberNode(node, name);
    if (!member && !node.preserves) {
      isSame = false;
      continue;
    }
    const one = member ? prune(member, value[name]) : value[name];
    if (one !== value[name]) isSame = false;
    kept[name] = one;
  }
  return isSame ? value : kept;
}

/**
 * The value with defaults where members are absent, and without members that are null and may not be; the value itself
 * where there is nothing of that.
 */
export function withDefaults(node: Node, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = node;
    if (!items) return value;
    const filled = value.map((item) => withDefaults(items, item));
    return filled.some((item, index) => item !== value[index]) ? filled : value;
  }
  if (!isMembers(value)) return value;
  let isSame = true;
  const made: Members = {};
  for (const name in value) {
    const member = memberNode(node, name);
    const now = value[name];
    if (now === null && member && !member.nullable) {
      isSame = false;
      continue;
    }
    const filled = member ? withDefaults(member, now) : now;
    if (filled !== now) isSame = false;
    made[name] = filled;
  }
  if (node.hasDefaults) {
    for (const [name, member] of node.properties ?? []) {
      if (member.default === undefined || made[name] !== undefined) continue;
      isSame = false;
      made[name] = member.default;
    }
  }
  return isSame ? value : made;
}
