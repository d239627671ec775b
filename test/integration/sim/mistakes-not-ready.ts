import { secret } from '../../support/manifests.ts';
import { type Chapter, ICCID, type Mistake, sim } from './mistake.ts';

const TRUCK = ['Sim', 'truck-17'] as const;
const passCode = 'passCodeSecretRef: {name: pass-codes, key: code}';
const existing = { seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'old truck' }] } };

const waiting: readonly Mistake[] = [
  {
    title: 'No account',
    ...sim(''),
    wrote: '# no accountRef, and no account in the namespace',
    world: { account: false },
    sees: {
      on: TRUCK,
      reason: 'AccountNotFound',
      message:
        'There is neither a CloudAccount named default in namespace fleet nor a ClusterCloudAccount named default. Create one of them, or create this resource again with accountRef.',
    },
    remedy: 'Create a CloudAccount named default; the Sim continues on its own.',
    mend: (world) => world.makeAccount(),
    mended: [],
  },
  {
    title: 'An account that does not exist',
    ...sim('accountRef: {kind: CloudAccount, name: fleet-east}'),
    sees: {
      on: TRUCK,
      reason: 'AccountNotFound',
      message:
        'There is no CloudAccount fleet-east in namespace fleet. Create it; to use another account, create this resource again, for accountRef cannot be changed.',
    },
    remedy: 'Create it, or create the Sim again with another one: accountRef cannot be changed.',
  },
  {
    title: 'A new SIM without a pass code',
    ...sim(''),
    wrote: '# no passCodeSecretRef',
    sees: {
      on: TRUCK,
      reason: 'PassCodeRequired',
      message:
        'The account has no SIM with ICCID 8981040000000000017. To register it, put its pass code into a Secret and name it in passCodeSecretRef.',
    },
    remedy: 'Name its pass code in passCodeSecretRef.',
    mend: (world) => world.apply(sim(passCode).manifest),
    mended: [TRUCK],
  },
  {
    title: 'A Secret with the pass code that does not exist',
    ...sim('passCodeSecretRef: {name: pass-code-17, key: code}'),
    sees: {
      on: TRUCK,
      reason: 'PassCodeSecretNotFound',
      message: `There is no Secret pass-code-17 in namespace fleet. Create it with the SIM's pass code under the key "code".`,
    },
    remedy: 'Create it; the Sim continues on its own.',
    mend: (world) => world.apply(secret('pass-code-17', { code: '0123' })),
    mended: [TRUCK],
  },
  {
    title: 'A key the Secret does not have',
    ...sim('passCodeSecretRef: {name: pass-codes, key: truck-17}'),
    sees: {
      on: TRUCK,
      reason: 'PassCodeKeyMissing',
      message: `The Secret pass-codes has no key "truck-17", or it is empty. Add the SIM's pass code under that key.`,
    },
    remedy: 'Add the key to the Secret; the Sim continues on its own.',
    mend: (world) => world.patch('Secret', 'pass-codes', { stringData: { 'truck-17': '0123' } }),
    mended: [TRUCK],
  },
  {
    title: 'A wrong pass code',
    ...sim(passCode),
    world: { seed: { passCodes: { [ICCID]: 'right' } } },
    sees: {
      on: TRUCK,
      reason: 'Rejected',
      message:
        'POST /commonserviceitem: the service answered 400 bad_request: CommonServiceItem.Remark.PassCode: it is not the pass code of SIM 8981040000000000017 (serial 00000000000004d2). Correct what the message names in spec.iccid (for which this resource has to be deleted, and created anew) or the Secret that spec.passCodeSecretRef names; nothing is sent again until the spec or a Secret it names changes, or the operator starts anew.',
    },
    remedy: 'Correct the Secret; the Sim continues on its own. Until then nothing is sent.',
    mend: (world) => world.patch('Secret', 'pass-codes', { stringData: { code: 'right' } }),
    mended: [TRUCK],
  },
  {
    title: 'A gateway that does not exist',
    ...sim(`gatewayRef: {name: depot}\n${passCode}`),
    sees: {
      on: TRUCK,
      type: 'Synced',
      reason: 'GatewayNotFound',
      message: 'There is no MobileGateway depot in namespace fleet. Create it, or correct gatewayRef.',
    },
    remedy: 'Create the MobileGateway in the same namespace, or correct the name.',
    mend: (world) => world.apply(sim(passCode).manifest),
    mended: [TRUCK],
  },
  {
    title: 'A carrier the service does not know',
    ...sim('carriers: [{name: Docomo, allow: true}]'),
    world: existing,
    sees: {
      on: TRUCK,
      reason: 'Rejected',
      message:
        'PUT /commonserviceitem/113300000017/sim/network_operator_config: the service answered 400 bad_request: network_operator_config[2].name: write KDDI, SoftBank or NTT DOCOMO (serial 00000000000004d2). Correct what the message names in spec.carriers, of which the SIM does not show Docomo, but KDDI, SoftBank; nothing is sent again until the spec or a Secret it names changes, or the operator starts anew.',
    },
    remedy: 'Write the carrier as the service does; status.carriers shows the names.',
    mend: (world) => world.apply(sim('carriers: [{name: KDDI, allow: true}]').manifest),
    mended: [TRUCK],
  },
  {
    title: 'Two Sims with one ICCID',
    ...sim('', 'truck-18'),
    wrote: `# Sim truck-18, while truck-17 has the same:\niccid: "${ICCID}"`,
    world: existing,
    before: async (world) => {
      await world.apply(sim('').manifest);
      await world.ready(...TRUCK);
    },
    sees: {
      on: ['Sim', 'truck-18'],
      reason: 'AlreadyManaged',
      message:
        'The SIM with ICCID 8981040000000000017 is already managed by the Sim fleet/truck-17. Delete this one. To keep this one instead, set deletionPolicy: Orphan on fleet/truck-17 before you delete it: without that the SIM may be deleted at the service with it.',
    },
    remedy: 'Delete it; or set `deletionPolicy: Orphan` on the other before you delete that, and this one takes over.',
    mend: async (world) => {
      await world.patch(...TRUCK, { spec: { deletionPolicy: 'Orphan' } });
      await world.delete(...TRUCK);
    },
    mended: [['Sim', 'truck-18']],
  },
  {
    title: 'adoption: Never for a SIM that exists',
    ...sim('adoption: Never'),
    world: existing,
    sees: {
      on: TRUCK,
      reason: 'AdoptionRefused',
      message:
        'The account already has SIM 113300000017 with ICCID 8981040000000000017, and adoption is Never. Remove adoption to take it over.',
    },
    remedy: 'Remove adoption to take the SIM over.',
    mend: (world) => world.apply(sim('').manifest),
    mended: [TRUCK],
  },
  {
    title: 'adoption: Required for a SIM that does not exist',
    ...sim('adoption: Required'),
    sees: {
      on: TRUCK,
      reason: 'AdoptionPending',
      message:
        'The account has no SIM with ICCID 8981040000000000017 yet, and adoption: Required creates none. Register it at the service, or remove adoption.',
    },
    remedy: 'Register the SIM at the service, or remove adoption and name its pass code.',
    mend: (world) => world.simulator.add('sims', { iccid: ICCID }),
    mended: [TRUCK],
  },
  {
    title: 'Observing a SIM that does not exist',
    ...sim('managementPolicy: Observe'),
    sees: {
      on: TRUCK,
      reason: 'NothingToObserve',
      message: 'The account has no SIM with ICCID 8981040000000000017, and managementPolicy Observe creates none.',
    },
    remedy: 'Register the SIM at the service, or remove managementPolicy.',
    mend: (world) => world.simulator.add('sims', { iccid: ICCID }),
    mended: [TRUCK],
  },
  {
    title: 'A resourceID that does not exist',
    ...sim('resourceID: "113399999999"'),
    world: existing,
    sees: {
      on: TRUCK,
      reason: 'ResourceIDNotFound',
      message:
        'The account has no SIM with ID 113399999999. Correct resourceID by creating the resource again, or leave it out to go by the ICCID.',
    },
    remedy: 'Create the Sim again without resourceID, or with the ID the control panel shows.',
  },
  {
    title: 'A resourceID of another SIM',
    ...sim('resourceID: "113300000018"'),
    world: { seed: { sims: [{ id: '113300000018', iccid: '8981040000000000018' }] } },
    sees: {
      on: TRUCK,
      reason: 'ResourceIDMismatch',
      message:
        'SIM 113300000018 has another ICCID than 8981040000000000017, which the spec says. Create the resource again with the ICCID and resourceID of one SIM.',
    },
    remedy: 'Create the Sim again with the ICCID and the resourceID of one SIM.',
  },
  {
    title: 'Several SIMs with one ICCID at the service',
    ...sim(''),
    wrote: '# no resourceID, and the account has the ICCID twice',
    world: { settings: { allowDuplicateICCID: true }, seed: { sims: [{ id: '113300000017', iccid: ICCID }] } },
    before: (world) => world.simulator.add('sims', { id: '113300000018', iccid: ICCID }),
    sees: {
      on: TRUCK,
      reason: 'AmbiguousICCID',
      message:
        'The account has several SIMs with ICCID 8981040000000000017: 113300000017, 113300000018. Set resourceID to the one that is meant.',
    },
    remedy: 'Set resourceID to the one that is meant.',
    mend: (world) => world.apply(sim('resourceID: "113300000018"').manifest),
    mended: [TRUCK],
  },
  {
    title: 'A SIM of somebody else',
    ...sim(passCode),
    world: {
      seed: {
        accounts: [{ name: 'other', accessToken: 'other', accessTokenSecret: 'other', sims: [{ iccid: ICCID }] }],
      },
    },
    sees: {
      on: TRUCK,
      reason: 'Conflict',
      message:
        'POST /commonserviceitem: the service answered 409 conflict: CommonServiceItem.Status.ICCID: a SIM with ICCID 8981040000000000017 exists (serial 00000000000004d2). It is tried again. If this persists, something else has what was asked for: change spec.iccid, or free it there.',
    },
    remedy: 'Check the ICCID. If it is right, have the SIM removed from the account that has it.',
    mend: (world) => world.simulator.remove('sims', ICCID),
    mended: [TRUCK],
  },
  {
    title: 'Another displayName in the Documented dialect',
    ...sim('displayName: Truck 17'),
    world: existing,
    sees: {
      on: TRUCK,
      type: 'Synced',
      reason: 'DisplayNameNotChangeable',
      message: `The SIM is named "old truck" at the service, and a name can't be changed in the Documented dialect. Set displayName to "old truck", or the account's dialect to Extended if the service supports it.`,
    },
    remedy:
      'The SIM works under its old name. Write that name, or let the account speak the Extended dialect if the service does.',
    mend: (world) => world.apply(sim('displayName: old truck').manifest),
    mended: [TRUCK],
  },
  {
    title: 'Paused and forgotten',
    wrote: 'kubectl annotate sim truck-17 edgeline.dev/paused=true\nkubectl delete sim truck-17',
    world: existing,
    before: async (world) => {
      await world.apply(sim('').manifest);
      await world.ready(...TRUCK);
    },
    act: async (world) => {
      await world.annotate(...TRUCK, { 'edgeline.dev/paused': 'true' });
      await world.condition(...TRUCK, { type: 'Synced', status: 'False', reason: 'Paused' });
      await world.delete(...TRUCK);
    },
    sees: {
      on: TRUCK,
      type: 'Synced',
      reason: 'Paused',
      message: 'Deletion waits because edgeline.dev/paused is set. Remove the annotation to go on.',
    },
    remedy: 'Remove the annotation: `kubectl annotate sim truck-17 edgeline.dev/paused-`.',
    mend: async (world) => {
      await world.annotate(...TRUCK, { 'edgeline.dev/paused': null });
      await world.gone(...TRUCK);
    },
  },
  {
    title: 'activated left out',
    ...sim(''),
    wrote: '# no activated; the SIM was never activated',
    world: existing,
    sees: {
      on: TRUCK,
      status: 'True',
      reason: 'Available',
      message:
        'SIM 113300000017 is at the service, but not active, because the spec does not set activated. Write activated: true to have it online, or false if it is meant to be offline.',
    },
    remedy: 'Write activated: true.',
    mend: (world) => world.apply(sim('activated: true').manifest),
    mended: [TRUCK],
  },
  {
    title: 'A misspelled annotation',
    wrote: 'kubectl annotate sim truck-17 edgeline.dev/pause=true',
    world: existing,
    before: async (world) => {
      await world.apply(sim('activated: true').manifest);
      await world.ready(...TRUCK);
    },
    act: (world) => world.annotate(...TRUCK, { 'edgeline.dev/pause': 'true' }),
    sees: {
      on: TRUCK,
      status: 'True',
      reason: 'Available',
      message:
        'SIM 113300000017 is at the service. Warning: The annotation edgeline.dev/pause is not known, and does nothing: write edgeline.dev/paused if that is meant, or remove it.',
    },
    remedy: 'Write the name that is meant. The same is told as a Warning event, once.',
    mend: (world) => world.annotate(...TRUCK, { 'edgeline.dev/pause': null }),
    mended: [TRUCK],
  },
  {
    title: 'A wrong digit in the IMEI',
    ...sim('activated: true\nimeiLock: "356938035643808"'),
    world: existing,
    sees: {
      on: TRUCK,
      status: 'True',
      reason: 'Available',
      message:
        'SIM 113300000017 is at the service. Warning: imeiLock 356938035643808 is the IMEI of no device: by its other digits the last one would be 9. Compare it with what the device shows for *#06#, lest the SIM work in none.',
    },
    remedy: 'Write the digits that the device shows. The SIM is locked to what is written meanwhile.',
    mend: (world) => world.apply(sim('activated: true\nimeiLock: "356938035643809"').manifest),
    mended: [TRUCK],
  },
  {
    title: 'A word that an annotation does not know',
    wrote: 'kubectl annotate sim truck-17 edgeline.dev/abandon=yes',
    world: existing,
    before: async (world) => {
      await world.apply(sim('activated: true').manifest);
      await world.ready(...TRUCK);
    },
    act: (world) => world.annotate(...TRUCK, { 'edgeline.dev/abandon': 'yes' }),
    sees: {
      on: TRUCK,
      status: 'True',
      reason: 'Available',
      message:
        'SIM 113300000017 is at the service. Warning: edgeline.dev/abandon is "yes", which does nothing: write "true" if it is meant, or remove it.',
    },
    remedy: 'Write "true" if the operator is to let go: what cannot be taken back is done at that word only.',
    mend: (world) => world.annotate(...TRUCK, { 'edgeline.dev/abandon': null }),
    mended: [TRUCK],
  },
  {
    title: 'A misspelled annotation of a namespace',
    wrote: 'kubectl annotate namespace fleet edgeline.dev/pausd=true',
    world: existing,
    before: async (world) => {
      await world.apply(sim('activated: true').manifest);
      await world.ready(...TRUCK);
    },
    act: (world) => world.patch('Namespace', 'fleet', { metadata: { annotations: { 'edgeline.dev/pausd': 'true' } } }),
    sees: {
      on: TRUCK,
      status: 'True',
      reason: 'Available',
      message:
        'SIM 113300000017 is at the service. Warning: On the Namespace fleet: the annotation edgeline.dev/pausd is not known, and does nothing: write edgeline.dev/paused if that is meant, or remove it.',
    },
    remedy: 'Write the name that is meant.',
  },
  {
    title: 'Abandoned and forgotten',
    wrote: 'kubectl annotate sim truck-17 edgeline.dev/abandon=true',
    world: existing,
    before: async (world) => {
      await world.apply(sim('').manifest);
      await world.ready(...TRUCK);
    },
    act: (world) => world.annotate(...TRUCK, { 'edgeline.dev/abandon': 'true' }),
    sees: {
      on: TRUCK,
      reason: 'Abandoned',
      message: 'edgeline.dev/abandon is set: the operator has let go. Remove the annotation to manage it again.',
    },
    remedy:
      "Remove the annotation to manage the SIM again: `kubectl annotate sim truck-17 edgeline.dev/abandon-`. A site's one-time URL secret, or S3\ncredentials, that left its spec meanwhile stay as they are: the service never shows them, and somebody else may have set them.",
    mend: (world) => world.annotate(...TRUCK, { 'edgeline.dev/abandon': null }),
    mended: [TRUCK],
  },
];

export const simsNotReady: readonly Chapter[] = [
  {
    title: 'A Sim that is not Ready',
    about: '`kubectl describe sim` shows the condition and its message.',
    mistakes: waiting,
  },
];
