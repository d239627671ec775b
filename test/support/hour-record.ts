import { systemClock } from '../../src/clock.ts';
import { digesterOf, identityOf } from '../../src/kinds/cloud-account/members.ts';
import { signatureOf } from '../../src/kinds/cloud-account/record.ts';
import { type Account, cloudAccountResource } from '../../src/kinds/cloud-account/schema.ts';
import { readSettings } from '../../src/kinds/cloud-account/settings.ts';
import { createSecretReader } from '../../src/reconcile/secrets.ts';
import type { World } from './world.ts';

/** Puts on record what another process, which has the token's secret, has used of the hour of an account. */
export async function recordHour(
  world: World,
  name: string,
  { used, recordedAt }: { readonly used: number; readonly recordedAt: string },
): Promise<void> {
  const { client, namespace } = world;
  const account = await client.get<Account>(cloudAccountResource, namespace, name);
  const read = await readSettings(
    account,
    createSecretReader(client, () => undefined, systemClock),
    undefined,
  );
  if ('hold' in read) throw new Error(read.hold.message);
  const signer = { identity: identityOf(read.settings), digest: digesterOf(read.settings) };
  const record = { used, limit: 500, recordedAt };
  const identity = signatureOf(`CloudAccount/${namespace}/${name}`, signer, record);
  const budget = { ...record, identity, reserved: null, resetsAt: null, counted: null };
  await client.mergePatch(cloudAccountResource, namespace, name, { status: { budget } }, { subresource: 'status' });
}
