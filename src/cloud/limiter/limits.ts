/** What an account may send. */
export interface Limits {
  /** Web acceleration requests in any rolling hour (`api.md`, Limits: 500). */
  readonly webAccelRequestsPerHour: number;
  /** Cloud requests a second, on average, at most; as many may go at once after a pause. */
  readonly cloudRequestsPerSecond: number;
  /** Cloud requests under way at a time; default 8. */
  readonly cloudConcurrency?: number;
  /** The part of the hour that only uploads, writes and verifying reads may use, and the last of it only uploads; default a tenth. */
  readonly webAccelReservedForWrites?: number;
  /** Several namespaces may use the account: a twentieth of the hour is kept for those that had less than the others; default no. */
  readonly isShared?: boolean;
  /** The least time between two web acceleration requests ("no intensive access"); default 200. */
  readonly webAccelSpacingMilliseconds?: number;
}

/** Cloud requests a second of an account that sets no limit. */
export const DEFAULT_REQUESTS_PER_SECOND = 10;

/**
 * How much of an hour of so many requests is kept for certificates, changes and what these depend on: a tenth. Of a small hour
 * a request is, or polls would take each that leaves it; more would leave what is read nothing where something is changed all the time.
 */
export const keptForWrites = (perHour: number): number => Math.max(Math.floor(perHour / 10), leastKept(perHour));

/** How much of an hour of so few requests that a tenth is none is kept for certificates. */
export const leastKept = (perHour: number): number => (perHour > 2 && perHour < 10 ? 1 : 0);
