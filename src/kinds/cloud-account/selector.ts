import { ownValue } from '../../own.ts';
import type { ClusterCloudAccountSpec } from './schema.ts';

/** Whether a label selector selects these labels, by the rules of `metav1.LabelSelector`. */
export function selects(
  selector: NonNullable<ClusterCloudAccountSpec['namespaceSelector']>,
  labels: Readonly<Record<string, string>>,
): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => ownValue(labels, key) === value);
  return equal && (selector.matchExpressions ?? []).every((expression) => holds(expression, labels));
}

type Expression = NonNullable<NonNullable<ClusterCloudAccountSpec['namespaceSelector']>['matchExpressions']>[number];

function holds({ key, operator, values }: Expression, labels: Readonly<Record<string, string>>): boolean {
  const value = ownValue(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && (values ?? []).includes(value);
    case 'NotIn':
      return value === undefined || !(values ?? []).includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}
