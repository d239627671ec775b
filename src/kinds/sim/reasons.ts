import type { Hold } from '../../reconcile/plan.ts';
import type { SharedReason } from '../common/reasons.ts';

/** Why a Sim is not Ready, beyond what all kinds share. Each is documented in docs/reference/conditions.md. */
export const SimReason = {
  /** The SIM has to be registered first, and `passCodeSecretRef` is missing. Do: Put the SIM’s pass code into a Secret, and name it in `passCodeSecretRef`. */
  PassCodeRequired: 'PassCodeRequired',
  /** The Secret named by `passCodeSecretRef` does not exist yet. Do: Create the Secret, or correct `passCodeSecretRef`. */
  PassCodeSecretNotFound: 'PassCodeSecretNotFound',
  /** The Secret has no such key, or it is empty. Do: Add the pass code to the Secret under that key, or correct `passCodeSecretRef.key`. */
  PassCodeKeyMissing: 'PassCodeKeyMissing',
  /** The MobileGateway named by `gatewayRef` does not exist in this namespace yet. Do: Create the MobileGateway in the same namespace, or correct `gatewayRef`. */
  GatewayNotFound: 'GatewayNotFound',
  /** The gateway exists but is not at the service yet, is missing there, or is being deleted; or its private network is not in effect yet. Do: Nothing, while the gateway is being created; otherwise look at it: `kubectl describe mgw`. */
  GatewayNotReady: 'GatewayNotReady',
  /** The gateway is in another account than the SIM. Do: Name a gateway of the SIM’s account in `gatewayRef`. */
  GatewayInOtherAccount: 'GatewayInOtherAccount',
  /** The address of the spec is the gateway's own, or the first or last of its private network, which no SIM can have. Do: Write another address of the network in the message. */
  AddressNotUsable: 'AddressNotUsable',
  /** `adoption: Required`, and the account has no SIM with this ICCID yet. Do: Register the SIM at the service, or remove `adoption` and name its pass code. */
  AdoptionPending: 'AdoptionPending',
  /** `adoption: Never`, and the account has a SIM with this ICCID already. Do: Remove `adoption` to take the SIM over. */
  AdoptionRefused: 'AdoptionRefused',
  /** Another Sim manages the SIM with this ICCID. Do: Delete this one; or set `deletionPolicy: Orphan` on the other before you delete that, and this one takes over. */
  AlreadyManaged: 'AlreadyManaged',
  /** The account has several SIMs with this ICCID; `resourceID` has to say which. Do: Set `resourceID` to one of the IDs in the message. */
  AmbiguousICCID: 'AmbiguousICCID',
  /** It was created a moment ago, and the service does not show it yet. Do: Nothing: it is looked for again every few seconds. */
  NotShownYet: 'NotShownYet',
  /** The account has no SIM with the ID `resourceID` names. Do: Delete the resource, and create it again with the right `resourceID`, or without one. */
  ResourceIDNotFound: 'ResourceIDNotFound',
  /** The SIM `resourceID` names has another ICCID, or the Sim has another SIM already. Do: Set `deletionPolicy: Orphan` if it has a SIM, delete the resource, and create it again with the ICCID and the `resourceID` of the same SIM. */
  ResourceIDMismatch: 'ResourceIDMismatch',
  /** The SIM is registered with a gateway that no gateway list of the account shows. Do: Take the SIM off that gateway in the control panel, or give the access token permission for the gateway’s zone. */
  GatewayUnknown: 'GatewayUnknown',
  /** The name at the service can't be changed in the account's dialect. Do: Set `displayName` to the name in the message, or the account’s `dialect` to Extended if the service supports it. */
  DisplayNameNotChangeable: 'DisplayNameNotChangeable',
  /** `managementPolicy: Observe`, and there is nothing to observe. Do: Register the SIM at the service, or remove `managementPolicy`. */
  NothingToObserve: 'NothingToObserve',
  /** More went through the SIM this month than `dataLimit` lets. With the action Deactivate the SIM is not active until the service counts the next month, so it is not Ready. Do: Nothing, if it is meant; otherwise raise `dataLimit.monthly`. A SIM that is not active because of it comes back at once then, and with the action Warn. */
  DataLimitExceeded: 'DataLimitExceeded',
} as const;

/** What the Sim's own conditions say, which have no bearing on Ready; beside them, `DataLimitExceeded`. */
export const OwnReason = {
  /** `WithinDataLimit`: no more went through the SIM this month than `dataLimit` lets. Do: Nothing. */
  WithinDataLimit: 'WithinDataLimit',
  /** `WithinDataLimit`: the service does not show what went through the SIM. Do: Nothing: nothing is done about it, and each list is looked at. */
  TrafficUnknown: 'TrafficUnknown',
  /** `Online`: the SIM has a session, or has not been without one for longer than `expectOnlineWithin`. Do: Nothing. */
  Online: 'Online',
  /** `Online`: the SIM is active and was not seen with a session for as long as `expectOnlineWithin` lets. Do: See whether its device has power and reception; `kubectl edgeline sim logs` shows what befell its session. */
  Silent: 'Silent',
  /** `Online`: the SIM is not active, so it can have no session. Do: Nothing, if it is meant; otherwise set `activated: true`, or see why `dataLimit` stopped it. */
  Offline: 'Offline',
  /** `Online`: the service does not show whether the SIM has a session. Do: Nothing: each list is looked at. */
  SessionUnknown: 'SessionUnknown',
  /** `Online`: the device that uses the SIM is not the one of `imeiLock`. Do: Find out where the SIM is; `activated: false` takes it out of service. */
  UnexpectedDevice: 'UnexpectedDevice',
} as const;

export type SimReason = (typeof SimReason)[keyof typeof SimReason];
export type OwnReason = (typeof OwnReason)[keyof typeof OwnReason] | typeof SimReason.DataLimitExceeded;

/** Why a Sim is not simply Ready. */
export type SimHold = Hold<SimReason | SharedReason>;
