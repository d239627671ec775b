import type { FailureReason } from '../../reconcile/failure-reason.ts';
import type { Hold } from '../../reconcile/plan.ts';
import type { CommonReason } from '../../reconcile/verdict.ts';

/** Why an account is not Ready. Each is documented in docs/reference/conditions.md. */
export const AccountReason = {
  /** The service accepted the credentials. Do: Nothing. */
  Verified: 'Verified',
  /** The Secret named by `credentialsSecretRef` does not exist yet. Do: Create the Secret that `credentialsSecretRef` names. */
  SecretNotFound: 'SecretNotFound',
  /** The Secret lacks the key accessToken or accessTokenSecret. Do: Put the key the message names into the Secret. */
  SecretKeyMissing: 'SecretKeyMissing',
  /** The Secret is gone, but the credentials last seen are kept in memory while resources still need them. Do: Restore what the message says is gone, the Secret or the account, until nothing uses the account any more. */
  CredentialsGone: 'CredentialsGone',
  /** The Secret or key named by `caBundleSecretRef` is missing, or holds no certificate. Do: Put the PEM certificate of the service’s CA into the Secret, or correct `caBundleSecretRef`. */
  CABundleInvalid: 'CABundleInvalid',
  /** The operator was started with a list of allowed hosts, and this one is not on it. Do: Correct `baseURL`, or have this host added to `--allowed-hosts` of the operator, `allowedHosts` of the chart. */
  HostNotAllowed: 'HostNotAllowed',
  /** The spec can't be used; the message names the field. Do: Correct the field the message names. */
  InvalidConfiguration: 'InvalidConfiguration',
  /** The account is being deleted, but resources still use it. Do: Delete what uses the account first; the message names some of it. */
  InUse: 'InUse',
  /** The account is being deleted, nothing uses it, and what it used of its hour can't be put on record yet: made anew, it would have the whole hour once more. Do: See why the operator can't write the Lease that the message names, such as a webhook or a quota. */
  HourNotRecorded: 'HourNotRecorded',
  /** The account is being deleted, and stays only for finalizers that others have set: the operator is done with it. Do: See who has set the finalizers that the message names, and why they are still there. */
  LetGo: 'LetGo',
  /** With its new baseURL or access token, the account does not show the objects that its resources have on record. Do: Restore baseURL or the Secret; if what is missing is really gone, confirm it with the command in the message. */
  AccountChanged: 'AccountChanged',
  /** Many of the objects that resources have in the account are missing all at once. Do: Wait if the service has trouble; if they are really gone, confirm it with the command in the message. */
  ManyMissing: 'ManyMissing',
  /** Under the ID this resource has, the account shows something else. Do: Restore the account's baseURL or Secret; if the resource's own object is really gone, confirm it with the command in the message. */
  NotTheSame: 'NotTheSame',
  /** More SIMs and gateways are to be deleted at the service than `spec.brakes` of the account allows at once, so all of them are held. Do: If it is meant, let go with the command in the message; if not, set `deletionPolicy: Orphan` on what is to stay, and apply it again. */
  DeletionHeld: 'DeletionHeld',
  /** More gateways are to be created than `spec.brakes` of the account allows at once, so all of them are held. Do: If it is meant, let go with the command in the message; if not, delete the resources. */
  CreationHeld: 'CreationHeld',
  /** Of an account: deletions are held in the namespaces that the message names; the account works. Do: See which deletions were meant: `kubectl edgeline status`. If all were, let go with the command in the message. */
  DeletionsHeld: 'DeletionsHeld',
  /** Of an account: creations of gateways are held in the namespaces that the message names; the account works. Do: If they are meant, let go with the command in the message; if not, delete the resources. */
  CreationsHeld: 'CreationsHeld',
  /** The account a resource asks for does not exist. Do: Create the account, or create the resource again with the right `accountRef`. */
  AccountNotFound: 'AccountNotFound',
  /** The account exists but can't be used yet. Do: Look at the account that the message names: `kubectl describe cloudaccount`, or `kubectl describe clustercloudaccount`. */
  AccountNotReady: 'AccountNotReady',
  /** The account's namespaceSelector does not select the resource's namespace. Do: Give the namespace the labels that the account’s `namespaceSelector` asks for, or use another account. */
  AccountNotAllowed: 'AccountNotAllowed',
  /** The status of the resource is gone, and its account may be the cluster's default or the namespace's, which is not older than the resource. Do: Let go and take it back, or create it again with `accountRef`, as the message says. */
  AccountUnclear: 'AccountUnclear',
} as const;
export type AccountReason = (typeof AccountReason)[keyof typeof AccountReason];

/** Why an account can't be used, or may not go. */
export type AccountHold = Hold<AccountReason | CommonReason | FailureReason>;
