import * as z from 'zod';
import { StateUnreadable } from './errors.ts';

/** The only version of the format since Terraform 0.12; OpenTofu writes the same. */
const VERSION = 4;

const instance = z.object({
  index_key: z.union([z.string(), z.number()]).nullish(),
  status: z.string().nullish(),
  deposed: z.string().nullish(),
  schema_version: z.number().nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
});

const resource = z.object({
  // The first word of an address, which commands that are printed begin with: never a flag.
  module: z.string().startsWith('module.').nullish(),
  mode: z.string(),
  type: z.string(),
  name: z.string(),
  provider: z.string(),
  instances: z.array(instance).nullish(),
});

const state = z.object({
  terraform_version: z.string().nullish(),
  resources: z.array(resource).nullish(),
});

export type StateResource = z.infer<typeof resource>;
export type StateInstance = z.infer<typeof instance>;

/** A state, as far as it matters here. */
export interface State {
  readonly terraformVersion: string | undefined;
  readonly resources: readonly StateResource[];
}

const pull = 'Take the state with terraform state pull > state.tfstate, and give that file';

/**
 * Reads a state file (format version 4).
 *
 * @throws StateUnreadable saying what the file is instead, and how to come by a state. It never quotes the file.
 */
export function readState(text: string): State {
  const content = text.replace(/^\uFEFF/, '');
  if (content.trim() === '') throw new StateUnreadable('The file is empty', `${pull}.`);
  if (content.startsWith('PK\u0003\u0004')) {
    throw new StateUnreadable('This is a saved plan, not a state', `${pull}.`);
  }
  const found = parse(content);
  refuseOthers(found);
  const read = state.safeParse(found);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new StateUnreadable(
      `The state is not as format version ${VERSION} has it: ${issue?.path.join('.') ?? 'its root'} is missing or of another type`,
      `${pull}.`,
    );
  }
  const resources = read.data.resources ?? [];
  if (resources.length === 0) {
    throw new StateUnreadable(
      'The state holds no resources',
      'Check that it is the right workspace (terraform workspace list) and the right file: terraform state list must show something.',
    );
  }
  return { terraformVersion: read.data.terraform_version ?? undefined, resources };
}

function parse(content: string): Record<string, unknown> {
  let found: unknown;
  try {
    found = JSON.parse(content);
  } catch {
    // The reason would quote the file.
    throw new StateUnreadable('The file is not JSON, so it is no state', `${pull}.`);
  }
  const object = z.record(z.string(), z.unknown()).safeParse(found);
  if (!object.success) throw new StateUnreadable('The file holds JSON that is no state', `${pull}.`);
  return object.data;
}

/** Files that are taken for a state, each with the way to one. */
function refuseOthers(found: Record<string, unknown>): void {
  const { version } = found;
  if ('encrypted_data' in found) {
    throw new StateUnreadable(
      'The state is encrypted by OpenTofu',
      'Where the key is configured, tofu state pull > state.tfstate gives it in plain; remove that file afterwards.',
    );
  }
  if ('planned_values' in found || 'resource_changes' in found) {
    throw new StateUnreadable('This is a plan in JSON, not a state', `${pull}.`);
  }
  if ('format_version' in found) {
    throw new StateUnreadable(
      'This is the output of terraform show -json, another format, which lacks what tells instances apart',
      `${pull}.`,
    );
  }
  if ('backend' in found && !('resources' in found)) {
    throw new StateUnreadable('This file of .terraform says where the state is kept, and is not the state', `${pull}.`);
  }
  if (typeof version !== 'number') {
    throw new StateUnreadable('The file holds JSON that is no state: it has no version', `${pull}.`);
  }
  if (version < VERSION) {
    throw new StateUnreadable(
      `The state is of format version ${version}, which Terraform before 0.12 wrote`,
      `Let a newer Terraform write it once as version ${VERSION}: terraform apply -refresh-only, then ${pull.toLowerCase()}.`,
    );
  }
  if (version > VERSION) {
    throw new StateUnreadable(
      `The state is of format version ${version}, and only version ${VERSION} is known`,
      'Use a newer Edgeline.',
    );
  }
}
