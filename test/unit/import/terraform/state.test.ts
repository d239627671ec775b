import { describe, expect, it } from 'vitest';
import { StateUnreadable } from '../../../../src/import/terraform/errors.ts';
import { readState } from '../../../../src/import/terraform/state.ts';

const PULL = 'Take the state with terraform state pull > state.tfstate, and give that file.';

function refusal(text: string): { message: string; advice: string } {
  try {
    readState(text);
  } catch (error) {
    if (error instanceof StateUnreadable) return { message: error.message, advice: error.advice };
    throw error;
  }
  throw new Error('it was read');
}

describe('what is not a state is refused, saying what it is', () => {
  it.each([
    ['an empty file', ' \n', 'The file is empty', PULL],
    ['a saved plan', 'PK\u0003\u0004 canary', 'This is a saved plan, not a state', PULL],
    ['no JSON', 'passcode = "canary"', 'The file is not JSON, so it is no state', PULL],
    ['JSON that is cut off', '{"version": 4, "passcode": "canary', 'The file is not JSON, so it is no state', PULL],
    ['a list', '["canary"]', 'The file holds JSON that is no state', PULL],
    ['another object', '{"canary": 1}', 'The file holds JSON that is no state: it has no version', PULL],
    ['a plan in JSON', '{"format_version": "1.2", "planned_values": {}}', 'This is a plan in JSON, not a state', PULL],
    [
      'terraform show -json',
      '{"format_version": "1.0", "terraform_version": "1.9.8", "values": {}}',
      'This is the output of terraform show -json, another format, which lacks what tells instances apart',
      PULL,
    ],
    [
      'what .terraform keeps of a backend',
      '{"version": 3, "backend": {"type": "s3"}}',
      'This file of .terraform says where the state is kept, and is not the state',
      PULL,
    ],
    [
      'an encrypted state',
      '{"serial": 1, "lineage": "x", "meta": {}, "encrypted_data": "canary", "encryption_version": "v0"}',
      'The state is encrypted by OpenTofu',
      'Where the key is configured, tofu state pull > state.tfstate gives it in plain; remove that file afterwards.',
    ],
    [
      'an old state',
      '{"version": 3, "modules": []}',
      'The state is of format version 3, which Terraform before 0.12 wrote',
      'Let a newer Terraform write it once as version 4: terraform apply -refresh-only, then take the state with terraform state pull > state.tfstate, and give that file.',
    ],
    [
      'a newer state',
      '{"version": 5}',
      'The state is of format version 5, and only version 4 is known',
      'Use a newer Edgeline.',
    ],
    [
      'a state without resources',
      '{"version": 4, "resources": []}',
      'The state holds no resources',
      'Check that it is the right workspace (terraform workspace list) and the right file: terraform state list must show something.',
    ],
    [
      'resources that are none',
      '{"version": 4, "resources": [{"mode": "managed", "type": 7}]}',
      'The state is not as format version 4 has it: resources.0.type is missing or of another type',
      PULL,
    ],
  ])('%s', (_what, text, message, advice) => {
    expect(refusal(text)).toEqual({ message, advice });
  });
});

it('a byte order mark does no harm', () => {
  const resource = { mode: 'managed', type: 'x', name: 'y', provider: 'provider["a/b/c"]', instances: [] };
  const text = JSON.stringify({ version: 4, terraform_version: '1.9.8', resources: [resource] });
  expect(readState(`\uFEFF${text}`)).toEqual({ terraformVersion: '1.9.8', resources: [resource] });
});

it('no address that is printed in a command begins as a flag', () => {
  const resource = { mode: 'managed', type: 'sakuracloud_sim', name: 'x', provider: 'p', module: '-state=/etc/x' };
  expect(refusal(JSON.stringify({ version: 4, resources: [resource] })).message).toMatch(/resources\.0\.module/);
});
