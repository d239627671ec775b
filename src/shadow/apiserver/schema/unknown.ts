import { compareText } from '../../../text.ts';
import { isMembers } from '../json.ts';
import { memberNode, type Node } from './node.ts';

/** A field that a schema does not know. */
export interface UnknownField {
  /** As refusals name it: `spec.cors.rules[0].orign`. */
  readonly path: string;
  readonly name: string;
  /** The fields that there are in its place. */
  readonly known: readonly string[];
}

/** The fields of a value that the schema does not know, in the order of their paths; what is in them is not looked at. */
export function unknownIn(node: Node, value: unknown, path: string): UnknownField[] {
  return found(node, value, path).toSorted((a, b) => compareText(a.path, b.path));
}

function found(node: Node, value: unknown, path: string): UnknownField[] {
  if (Array.isArray(value)) {
    const { items } = node;
    return items ? value.flatMap((item, index) => found(items, item, `${path}[${index}]`)) : [];
  }
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, one]): UnknownField[] => {
    const here = path === '' ? name : `${path}.${name}`;
    const member = memberNode(node, name);
    if (member) return found(member, one, here);
    return node.preserves ? [] : [{ path: here, name, known: [...(node.properties?.keys() ?? [])] }];
  });
}
