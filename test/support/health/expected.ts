import type { AccountReason } from '../../../src/kinds/cloud-account/reasons.ts';
import type { GatewayReason } from '../../../src/kinds/mobile-gateway/reasons.ts';
import type { SimReason } from '../../../src/kinds/sim/reasons.ts';
import type { CertificateReason } from '../../../src/kinds/site-certificate/reasons.ts';
import type { SiteReason } from '../../../src/kinds/web-accel-site/reasons.ts';
import type { FailureReason } from '../../../src/reconcile/failure-reason.ts';
import type { ManagedKindName } from '../../../src/reconcile/kind-names.ts';
import type { CommonReason } from '../../../src/reconcile/verdict.ts';
import type { OutcomeName } from './outcomes.ts';

/** What a reason may show as; every one of these is seen in a test. */
export type Row = readonly [OutcomeName, ...OutcomeName[]];
type Rows<R extends string> = Readonly<Record<R, Row>>;

/** Reasons an account gives to those who use it. */
type UserReason =
  | 'AccountNotFound'
  | 'AccountNotReady'
  | 'AccountNotAllowed'
  | 'AccountUnclear'
  | 'CredentialsGone'
  | 'ManyMissing'
  | 'NotTheSame'
  | 'DeletionHeld'
  | 'CreationHeld';
type OwnReason = Exclude<
  keyof typeof AccountReason,
  | 'AccountNotFound'
  | 'AccountNotReady'
  | 'AccountNotAllowed'
  | 'AccountUnclear'
  | 'NotTheSame'
  | 'DeletionHeld'
  | 'CreationHeld'
>;
/** What can go wrong with the one call an account makes for itself, which is no write. */
type AccountFailure = Exclude<
  keyof typeof FailureReason,
  'AccountFull' | 'AddressTaken' | 'OutcomeUnknown' | 'NotFound' | 'FinalizerNotKept' | 'InternalError'
>;

const managed: Rows<keyof typeof CommonReason | keyof typeof FailureReason | UserReason> = {
  Available: ['works'],
  Observed: ['works'],
  DriftObserved: ['differs', 'stalled'],
  Applying: ['waits', 'worksAndWaits'],
  Queued: ['waits', 'worksAndWaits'],
  Contested: ['waits'],
  HeldElsewhere: ['unanswered'],
  Paused: ['paused', 'worksPaused', 'leavesPaused'],
  Abandoned: ['paused'],
  ApprovalPending: ['paused', 'worksPaused', 'leavesPaused'],
  Deleting: ['leaves'],
  ServiceUnavailable: ['waits', 'worksAndWaits'],
  Throttled: ['waits', 'worksAndWaits'],
  Rejected: ['stalled', 'waits', 'worksAndWaits'],
  CredentialsRejected: ['waits', 'worksAndWaits'],
  Conflict: ['waits', 'worksAndWaits'],
  AddressTaken: ['waits', 'worksAndWaits'],
  AccountFull: ['waits', 'worksAndWaits'],
  OutcomeUnknown: ['waits', 'worksAndWaits'],
  UnexpectedResponse: ['waits', 'worksAndWaits'],
  NotFound: ['waits', 'worksAndWaits'],
  SecretForbidden: ['stalled', 'worksAndStalled'],
  SecretRefused: ['stalled', 'worksAndStalled'],
  SecretUnreadable: ['waits', 'worksAndWaits'],
  FinalizerNotKept: ['stalled', 'worksAndStalled'],
  InternalError: ['waits', 'worksAndWaits'],
  AccountNotFound: ['waits'],
  AccountNotReady: ['waits', 'worksAndWaits'],
  AccountNotAllowed: ['stalled'],
  AccountUnclear: ['stalled'],
  CredentialsGone: ['stalled'],
  ManyMissing: ['stalled'],
  NotTheSame: ['stalled'],
  DeletionHeld: ['leavesPaused'],
  CreationHeld: ['paused'],
};

const account: Rows<OwnReason | AccountFailure | 'Paused'> = {
  Verified: ['works'],
  Paused: ['paused'],
  SecretNotFound: ['waits'],
  SecretKeyMissing: ['waits'],
  CredentialsGone: ['stalled'],
  CABundleInvalid: ['waits', 'stalled'],
  HostNotAllowed: ['stalled'],
  InvalidConfiguration: ['stalled'],
  InUse: ['leaves'],
  HourNotRecorded: ['leaves'],
  LetGo: ['leavesPaused'],
  AccountChanged: ['stalled'],
  ManyMissing: ['stalled'],
  DeletionsHeld: ['braked'],
  CreationsHeld: ['braked'],
  ServiceUnavailable: ['waits'],
  Throttled: ['waits'],
  Rejected: ['stalled'],
  CredentialsRejected: ['stalled'],
  SecretForbidden: ['stalled'],
  SecretRefused: ['stalled'],
  SecretUnreadable: ['waits'],
  Conflict: ['waits'],
  UnexpectedResponse: ['waits'],
};

const sim: Rows<keyof typeof SimReason> = {
  PassCodeRequired: ['stalled'],
  PassCodeSecretNotFound: ['waits'],
  PassCodeKeyMissing: ['waits'],
  GatewayNotFound: ['waits'],
  GatewayNotReady: ['waits'],
  GatewayInOtherAccount: ['stalled'],
  AddressNotUsable: ['stalled'],
  AdoptionPending: ['waits'],
  AdoptionRefused: ['stalled'],
  AlreadyManaged: ['stalled'],
  AmbiguousICCID: ['stalled'],
  NotShownYet: ['waits'],
  ResourceIDNotFound: ['stalled'],
  ResourceIDMismatch: ['stalled', 'differs'],
  GatewayUnknown: ['waits'],
  DisplayNameNotChangeable: ['differs'],
  DataLimitExceeded: ['stopped'],
  NothingToObserve: ['waits'],
};

const gateway: Rows<keyof typeof GatewayReason> = {
  PlanRequired: ['stalled'],
  Migrating: ['waits'],
  CreationFailed: ['stalled'],
  CreationAmbiguous: ['stalled'],
  NotShownYet: ['waits'],
  ResourceIDNotFound: ['stalled'],
  ResourceIDMismatch: ['differs'],
  AlreadyManaged: ['stalled'],
  MayBeAnothers: ['waits'],
  ResourceIDRequired: ['stalled'],
  NothingToObserve: ['waits'],
  ChatWebhookSecretMissing: ['waits'],
  RouteWaitsForSim: ['waits'],
  Booting: ['waits'],
  Stopping: ['leaves'],
  Stopped: ['broken'],
  SimsStillRegistered: ['leaves'],
  DisplayNameNotChangeable: ['differs'],
  DNSNotRemovable: ['differs'],
  PlanNotChangeable: ['differs'],
};

const site: Rows<keyof typeof SiteReason> = {
  SiteNotFound: ['waits'],
  SiteNotListed: ['stalled'],
  AmbiguousDomain: ['stalled'],
  AlreadyManaged: ['stalled'],
  SecretNotFound: ['waits', 'worksAndWaits'],
  SecretKeyMissing: ['waits', 'worksAndWaits'],
  AccessControlInvalid: ['stalled'],
  SettingNotTaken: ['differs'],
  Disabled: ['broken'],
};

const certificate: Rows<keyof typeof CertificateReason> = {
  SiteNotFound: ['waits'],
  SiteNotReady: ['waits'],
  AccountMismatch: ['stalled'],
  AlreadyManaged: ['stalled'],
  SecretNotFound: ['waits', 'worksAndWaits'],
  SecretTypeWrong: ['stalled'],
  SecretKeyMissing: ['waits', 'worksAndWaits'],
  CertificateUnreadable: ['stalled'],
  KeyUnreadable: ['stalled'],
  KeyMismatch: ['stalled'],
  ChainOutOfOrder: ['stalled'],
  DomainNotCovered: ['stalled'],
  ExpiresSoon: ['works'],
  Expired: ['stalled'],
  NotYetValid: ['waits', 'worksAndWaits'],
  TemporaryCertificate: ['waits', 'worksAndWaits'],
  OlderThanCurrent: ['stalled'],
};

/** What a person is told of health, by what it is told of and by reason. The compiler sees to it that no kind or reason is missing. */
export const expectedHealth: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'All managed kinds': managed,
  'CloudAccount and ClusterCloudAccount': account,
  ...({
    Sim: sim,
    MobileGateway: gateway,
    WebAccelSite: site,
    SiteCertificate: certificate,
  } satisfies Record<ManagedKindName, unknown>),
};
