/** Reasons that come from errors, the same for all kinds. */
export const FailureReason = {
  /** The service did not answer, or is temporarily unable to. Retried with growing delays. Do: Nothing, if it passes; if every resource of the account says so, check its `baseURL`, and whether the service can be reached from the cluster. */
  ServiceUnavailable: 'ServiceUnavailable',
  /** The account has used up the requests it may send now. Do: Nothing: it continues as soon as it may. If it lasts, find out what else uses the access token, or lower the account’s `limits`. */
  Throttled: 'Throttled',
  /** The service refused the request; the message quotes it. A change is not sent again unchanged, unless with others that failed for now, and SIM routes once, for a SIM may have been off the gateway; a read is repeated. Do: Correct what the message quotes, in the spec or in the Secret. */
  Rejected: 'Rejected',
  /** The account's credentials were refused; see the account. Do: Put a valid access token into the account’s Secret; it is tried at once. */
  CredentialsRejected: 'CredentialsRejected',
  /** The service is busy with the resource, or something else has what was asked for. Retried soon. Do: What the message says, if it says what to do; otherwise nothing, if it passes, and if not, find out what else has what it names. */
  Conflict: 'Conflict',
  /** Another SIM has the address of the spec, and keeps it, or another Sim asks for it, too, and goes first. It is tried again. Do: Give one of the two another address: the message names the other. */
  AddressTaken: 'AddressTaken',
  /** The account, or its zone, has as many as it may have. It is tried again. Do: Delete some, or have the account’s limit raised at the service. */
  AccountFull: 'AccountFull',
  /** A request may or may not have been carried out; until the time in the message, the operator looks for what it may have made or set. Do: Nothing: it looks before it sends anything again. */
  OutcomeUnknown: 'OutcomeUnknown',
  /** The service answered in a way the interface does not describe. Do: Check that the account’s `baseURL` is the service’s and no proxy answers in its place; if so, report the message. */
  UnexpectedResponse: 'UnexpectedResponse',
  /** What was to be changed no longer exists; it is looked for again. Do: Nothing: it is found or created again. */
  NotFound: 'NotFound',
  /** The operator has no permission to read a Secret that the resource or its account names. Do: Give the ServiceAccount `get` on Secrets in that namespace: [permissions](permissions.md). */
  SecretForbidden: 'SecretForbidden',
  /** The Secret that the resource or its account names has a type that is never sent, or a value in it is too large or malformed. Do: Name a Secret that holds what the message says. */
  SecretRefused: 'SecretRefused',
  /** The apiserver has failed for half a minute to give a Secret that the resource or its account names. Do: See what the message says of the Secret, such as an encryption provider that the apiserver can’t reach. */
  SecretUnreadable: 'SecretUnreadable',
  /** Something in the cluster takes the operator’s finalizer off as it is set: nothing is made, because nobody would delete it. Do: Find the webhook or policy that changes `metadata.finalizers`, and exempt edgeline.dev. */
  FinalizerNotKept: 'FinalizerNotKept',
  /** An error of the operator itself. Do: Report it, with the line from the log. */
  InternalError: 'InternalError',
} as const;

export type FailureReason = (typeof FailureReason)[keyof typeof FailureReason];
