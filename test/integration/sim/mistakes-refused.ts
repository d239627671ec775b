import { type Chapter, type Mistake, object, sim } from './mistake.ts';

const refused: readonly Mistake[] = [
  {
    title: 'A letter in the ICCID',
    ...sim('iccid: "8981O40000000000017"'),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.iccid: Invalid value: "string": iccid must be 10 to 22 digits, without spaces or letters, in quotes, for example "8981040000000000001"',
    },
    remedy: 'Write the digits as they are printed on the SIM, without spaces or hyphens.',
  },
  {
    title: 'An ICCID without quotes',
    ...sim('iccid: 8981040000000000017'),
    sees: {
      kubectl: `The Sim "truck-17" is invalid: 
* spec.iccid: Invalid value: "integer": spec.iccid in body must be of type string: "integer"
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Put the ICCID in quotes: YAML takes it for a number, and a number this long loses digits.',
  },
  {
    title: 'No ICCID',
    wrote: 'activated: true',
    manifest: object('Sim', 'truck-17', 'activated: true', {}),
    sees: {
      kubectl: `The Sim "truck-17" is invalid: 
* spec.iccid: Required value
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Name the SIM by the ICCID printed on it.',
  },
  {
    title: 'An ICCID that is too short',
    ...sim('iccid: "8981040"'),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.iccid: Invalid value: "8981040": spec.iccid in body should be at least 10 chars long',
    },
    remedy: 'Write the whole ICCID, 18 to 20 digits on most SIMs.',
  },
  {
    title: 'A field that does not exist',
    ...sim('ip: 10.0.0.17'),
    sees: {
      kubectl:
        'Error from server (BadRequest): error when creating "STDIN": Sim in version "v1alpha1" cannot be handled as a Sim: strict decoding error: unknown field "spec.ip"',
    },
    remedy: 'Look the name up with `kubectl explain sim.spec`.',
  },
  {
    title: 'The pass code in the manifest',
    ...sim('passCode: "0123"'),
    sees: {
      kubectl:
        'Error from server (BadRequest): error when creating "STDIN": Sim in version "v1alpha1" cannot be handled as a Sim: strict decoding error: unknown field "spec.passCode"',
    },
    remedy: 'Put the pass code into a Secret and name it in passCodeSecretRef. A manifest in Git is no place for it.',
  },
  {
    title: 'An IP address without a gateway',
    ...sim('ipAddress: 10.0.0.17'),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.ipAddress: Invalid value: "object": ipAddress needs gatewayRef: a SIM has an address only in the network of a gateway; name a gateway, or remove both',
    },
    remedy: 'Name the gateway in gatewayRef, or leave the address out.',
  },
  {
    title: 'An IPv6 address',
    ...sim('gatewayRef: {name: depot}\nipAddress: "2001:db8::17"'),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.ipAddress: Invalid value: "string": ipAddress must be an IPv4 address, for example 10.0.0.17',
    },
    remedy: 'Write an IPv4 address of the gateway’s private network.',
  },
  {
    title: 'An IP address with its mask',
    ...sim('gatewayRef: {name: depot}\nipAddress: 10.0.0.17/24'),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.ipAddress: Invalid value: "string": ipAddress must be an IPv4 address, for example 10.0.0.17',
    },
    remedy: 'Write the address alone.',
  },
  {
    title: 'An address that no SIM can have',
    ...sim('gatewayRef: {name: depot}\nipAddress: 0.0.0.0'),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.ipAddress: Invalid value: "string": ipAddress must be an address a host can have, for example 10.0.0.17: those that begin with 0, 127, or 224 and above mean something else',
    },
    remedy: 'Write an address of the gateway’s private network; leave it out to have none.',
  },
  {
    title: 'A letter in the IMEI',
    ...sim('imeiLock: "35693803564380X"'),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.imeiLock: Invalid value: "string": imeiLock must be the 14 to 16 digits of the device’s IMEI, in quotes, for example "356938035643809"',
    },
    remedy: 'Write the digits of the device’s IMEI (it shows them on *#06#).',
  },
  {
    title: 'A name of spaces',
    ...sim('displayName: "  "'),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.displayName: Invalid value: "string": displayName is blank: write a name, or leave it out',
    },
    remedy: 'Leave displayName out to have the SIM named after its resource.',
  },
  {
    title: 'An empty list of carriers',
    ...sim('carriers: []'),
    sees: {
      kubectl: `The Sim "truck-17" is invalid: 
* spec.carriers: Invalid value: 0: spec.carriers in body should have at least 1 items
* spec.carriers: Invalid value: "array": carriers must allow at least one carrier: the service refuses a SIM that may use none`,
    },
    remedy: 'Name a carrier, or leave carriers out to leave them as they are.',
  },
  {
    title: 'No carrier allowed',
    ...sim('carriers: [{name: KDDI, allow: false}, {name: SoftBank, allow: false}]'),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.carriers: Invalid value: "array": carriers must allow at least one carrier: the service refuses a SIM that may use none',
    },
    remedy: 'Allow one. To take the SIM out of use, set activated: false.',
  },
  {
    title: 'A carrier twice',
    ...sim('carriers: [{name: KDDI, allow: true}, {name: KDDI, allow: false}]'),
    sees: { kubectl: 'The Sim "truck-17" is invalid: spec.carriers[1]: Duplicate value: {"name":"KDDI"}' },
    remedy: 'Keep the entry that is meant.',
  },
  {
    title: 'A carrier without allow',
    ...sim('carriers: [{name: KDDI}]'),
    sees: {
      kubectl: `The Sim "truck-17" is invalid: 
* spec.carriers[0].allow: Required value
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Say whether the SIM may use it.',
  },
  {
    title: 'A word where true or false is meant',
    ...sim('activated: "yes"'),
    sees: {
      kubectl: `The Sim "truck-17" is invalid: 
* spec.activated: Invalid value: "string": spec.activated in body must be of type boolean: "string"
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Write true or false, without quotes.',
  },
  {
    title: 'A typing error in the kind of the account',
    ...sim('accountRef: {kind: CloudAcount, name: default}'),
    sees: {
      kubectl: `The Sim "truck-17" is invalid: 
* spec.accountRef.kind: Unsupported value: "CloudAcount": supported values: "CloudAccount", "ClusterCloudAccount"
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Write one of the two.',
  },
  {
    title: 'An account without its kind',
    ...sim('accountRef: {name: default}'),
    sees: {
      kubectl: `The Sim "truck-17" is invalid: 
* spec.accountRef.kind: Required value
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Write CloudAccount for one of this namespace, ClusterCloudAccount for one of the cluster.',
  },
  {
    title: 'An adoption that does not exist',
    ...sim('adoption: Always'),
    sees: {
      kubectl: `The Sim "truck-17" is invalid: 
* spec.adoption: Unsupported value: "Always": supported values: "IfFound", "Required", "Never"
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Write one of the three, or leave it out for IfFound.',
  },
  {
    title: 'A Secret without its key',
    ...sim('passCodeSecretRef: {name: pass-codes}'),
    sees: {
      kubectl: `The Sim "truck-17" is invalid: 
* spec.passCodeSecretRef.key: Required value
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Name the key in the Secret too.',
  },
];

const changed: readonly Mistake[] = [
  {
    title: 'Another ICCID',
    ...sim('iccid: "8981040000000000018"'),
    before: (world) => world.apply(sim('adoption: Required').manifest),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.iccid: Forbidden: iccid cannot be changed: it names the physical SIM. Create another Sim for another ICCID',
    },
    remedy: 'Create another Sim for the other ICCID and delete this one; deletionPolicy: Orphan keeps what it manages.',
  },
  {
    title: 'Another account',
    ...sim('accountRef: {kind: CloudAccount, name: other}'),
    before: (world) => world.apply(sim('accountRef: {kind: CloudAccount, name: default}').manifest),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.accountRef: Forbidden: accountRef cannot be changed: delete the resource and create it in the other account',
    },
    remedy: 'A SIM does not move between accounts: delete the Sim and create it in the other one.',
  },
  {
    title: 'An account added later',
    ...sim('accountRef: {kind: CloudAccount, name: default}'),
    before: (world) => world.apply(sim('').manifest),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.accountRef: Forbidden: accountRef cannot be added or removed later: delete the resource and create it in the other account',
    },
    remedy: 'Leave it out: status.accountRef shows the account the Sim lives in.',
  },
  {
    title: 'Another resourceID',
    ...sim('resourceID: "113300000018"'),
    before: (world) => world.apply(sim('resourceID: "113300000017"').manifest),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.resourceID: Forbidden: resourceID cannot be changed or left out once set: write the one it has. For another, delete the resource (deletionPolicy: Orphan keeps what it manages) and create a new one',
    },
    remedy: 'Create another Sim for the other SIM.',
  },
  {
    title: 'The resourceID removed',
    ...sim(''),
    wrote: '# resourceID: "113300000017" removed',
    before: (world) => world.apply(sim('resourceID: "113300000017"').manifest),
    sees: {
      kubectl:
        'The Sim "truck-17" is invalid: spec.resourceID: Forbidden: resourceID cannot be changed or left out once set: write the one it has. For another, delete the resource (deletionPolicy: Orphan keeps what it manages) and create a new one',
    },
    remedy: 'Leave it in. Once the Sim is Ready it changes nothing.',
  },
];

export const refusedSims: readonly Chapter[] = [
  {
    title: 'A Sim that kubectl refuses',
    about:
      'Correct the manifest and apply it again; nothing was stored. Argo CD shows the same message as a failed sync.',
    mistakes: refused,
  },
  { title: 'A change that kubectl refuses', about: 'The Sim stays as it was.', mistakes: changed },
];
