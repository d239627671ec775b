import { readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import * as z from 'zod';

const kubeconfigShape = z.object({
  'current-context': z.string(),
  contexts: z.array(z.object({ name: z.string(), context: z.object({ namespace: z.string().optional() }) })),
});

/**
 * The namespace somebody chose for the current context of a kubeconfig, as `kubectl config set-context` does.
 *
 * @returns undefined where none is chosen, and where there is no kubeconfig or none that can be read.
 */
export function chosenNamespace(file: string): string | undefined {
  return currentContext(textOf(file))?.namespace;
}

/** Chooses the namespace of the current context; all else stays. A file that is no kubeconfig is left as it is. */
export function chooseNamespace(file: string, namespace: string): void {
  const text = textOf(file);
  const current = currentContext(text);
  if (!current) return;
  const document = parseDocument(text);
  document.setIn(['contexts', current.index, 'context', 'namespace'], namespace);
  writeFileSync(file, document.toString(), { mode: 0o600 });
}

function currentContext(text: string): { index: number; namespace: string | undefined } | undefined {
  const document = parseDocument(text);
  const { data } = kubeconfigShape.safeParse(document.errors.length > 0 ? undefined : document.toJS());
  const index = data?.contexts.findIndex(({ name }) => name === data['current-context']) ?? -1;
  const found = data?.contexts[index];
  return found && { index, namespace: found.context.namespace || undefined };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
