import type { Hold } from '../../reconcile/plan.ts';
import type { SharedReason } from '../common/reasons.ts';

/** Why a WebAccelSite is not Ready, beyond what all kinds share. Each is documented in docs/reference/conditions.md. */
export const SiteReason = {
  /** The account has no site with this domain or ID. Sites are not created. Do: Create the site in the control panel, or create this resource again with the right `domain` or `siteID`. */
  SiteNotFound: 'SiteNotFound',
  /** The list of sites does not show all sites of the account, and this domain is not among those shown. Do: Use `siteID` instead of `domain`; the control panel shows it. */
  SiteNotListed: 'SiteNotListed',
  /** The account has several sites with this domain; `siteID` has to say which. Do: Create this resource again with `siteID`, one of the IDs in the message, instead of `domain`. */
  AmbiguousDomain: 'AmbiguousDomain',
  /** Another WebAccelSite manages the site. Do: Delete one of the two; the other takes over. */
  AlreadyManaged: 'AlreadyManaged',
  /** The Secret named by `credentialsSecretRef` or `oneTimeURLSecretRef` does not exist yet. Do: Create the Secret, or correct its name in the spec. */
  SecretNotFound: 'SecretNotFound',
  /** The Secret lacks a key, or it is empty. Do: Put the key the message names into the Secret. */
  SecretKeyMissing: 'SecretKeyMissing',
  /** The site is disabled at the service, and serves nothing. Do: Enable it in the control panel. */
  Disabled: 'Disabled',
  /** A line of `accessControl` is not a valid rule; the message names it. Do: Correct the line that the message names. */
  AccessControlInvalid: 'AccessControlInvalid',
  /** The service accepted a setting but still shows another value; it is not sent again. Do: Write the value that the service shows, or ask its support whether the site’s plan allows yours. */
  SettingNotTaken: 'SettingNotTaken',
} as const;
export type SiteReason = (typeof SiteReason)[keyof typeof SiteReason];

/** Why a WebAccelSite is not simply Ready. */
export type SiteHold = Hold<SiteReason | SharedReason>;
