import type { KindDefinition } from '../../kubernetes/crd.ts';

const column = (type: string) => `.status.conditions[?(@.type=="${type}")]`;
/** Of the first condition that does not hold. They come as Ready, Synced, so it is the worst; empty where all hold. */
const WORST = '.status.conditions[?(@.status!="True")].reason';

/** The columns every kind ends with. `about` says what Ready means. */
export function readyColumns(about: string): KindDefinition['columns'] {
  return [
    { name: 'Ready', type: 'string', jsonPath: `${column('Ready')}.status`, description: about },
    { name: 'Reason', type: 'string', jsonPath: WORST, description: 'Why not, if something is wrong', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Age of the resource' },
  ];
}

/** The columns every managed kind ends with. */
export function managedColumns(about: string): KindDefinition['columns'] {
  const description = 'Whether the service matches the spec';
  return [
    { name: 'Synced', type: 'string', jsonPath: `${column('Synced')}.status`, description, priority: 1 },
    ...readyColumns(about),
  ];
}
