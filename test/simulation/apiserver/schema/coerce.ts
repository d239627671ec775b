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

/** The value with defaults where members are absent, or null and may not be; the value itself where there are none. */
export function withDefaults(node: Node, value: unknown): unknown {
  if (!node.hasDefaults) return value;
  if (Array.isArray(value)) {
    const { items } = node;
    return items ? value.map((item) => withDefaults(items, item)) : value;
  }
  if (!isMembers(value)) return value;
  let made = value;
  const set = (name: string, member: unknown) => {
    if (made === value) made = { ...value };
    made[name] = member;
  };
  for (const [name, member] of node.properties ?? []) {
    const now = value[name];
    if (now === undefined || (now === null && !member.nullable)) {
      if (member.default !== undefined) set(name, member.default);
    } else {
      const filled = withDefaults(member, now);
      if (filled !== now) set(name, filled);
    }
  }
  return made;
}
