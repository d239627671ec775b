import type { Hold } from '../../reconcile/kind.ts';
import type { SharedReason } from '../common/reasons.ts';

/** Why a Sim is not Ready, beyond what all kinds share. Each is documented in docs/reference/conditions.md. */
export const SimReason = {
  /** The SIM has to be registered first, and `passCodeSecretRef` is missing. */
  PassCodeRequired: 'PassCodeRequired',
  /** The Secret named by `passCodeSecretRef` does not exist yet. */
  PassCodeSecretNotFound: 'PassCodeSecretNotFound',
  /** The Secret has no such key, or it is empty. */
  PassCodeKeyMissing: 'PassCodeKeyMissing',
  /** The MobileGateway named by `gatewayRef` does not exist in this namespace yet. */
  GatewayNotFound: 'GatewayNotFound',
  /** The gateway exists but is not at the service yet, or is being deleted. Do: Nothing, while the gateway is being created; otherwise look at it: `kubectl describe mgw`. */
  GatewayNotReady: 'GatewayNotReady',
  /** The gateway is in another account than the SIM. */
  GatewayInOtherAccount: 'GatewayInOtherAccount',
  /** The address of the spec is the gateway's own, or the first or last of its private network, which no SIM can have. */
  AddressNotUsable: 'AddressNotUsable',
  /** `adoption: Required`, and the account has no SIM with this ICCID yet. */
  AdoptionPending: 'AdoptionPending',
  /** `adoption: Never`, and the account has a SIM with this ICCID already. */
  AdoptionRefused: 'AdoptionRefused',
  /** Another Sim manages the SIM with this ICCID. */
  AlreadyManaged: 'AlreadyManaged',
  /** The account has several SIMs with this ICCID; `resourceID` has to say which. */
  AmbiguousICCID: 'AmbiguousICCID',
  /** It was created a moment ago, and the service does not show it yet. Do: Nothing: it looks again every two seconds. */
  NotShownYet: 'NotShownYet',
  /** The account has no SIM with the ID `resourceID` names. */
  ResourceIDNotFound: 'ResourceIDNotFound',
  /** The SIM `resourceID` names has another ICCID. */
  ResourceIDMismatch: 'ResourceIDMismatch',
  /** The SIM is registered with a gateway that no gateway list of the account shows. Do: Take the SIM off that gateway in the control panel, or give the access token permission for the gateway’s zone. */
  GatewayUnknown: 'GatewayUnknown',
  /** The name at the service can't be changed in the account's dialect. */
  DisplayNameNotChangeable: 'DisplayNameNotChangeable',
  /** `managementPolicy: Observe`, and there is nothing to observe. */
  NothingToObserve: 'NothingToObserve',
} as const;
export type SimReason = (typeof SimReason)[keyof typeof SimReason];

/** Why a Sim is not simply Ready. */
export type SimHold = Hold<SimReason | SharedReason>;
