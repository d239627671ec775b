/**
 * A SIM's status (`api.md`, SIM status object). Datetimes are ISO 8601 as the service gives them. Nothing of it is changed:
 * what is unchanged at the service is one object in many lists.
 */
export interface SimStatus {
  readonly iccid: string;
  readonly imsi: readonly string[];
  /** Absent when unset, and absent from `status()` in the Documented dialect: the list shows it. */
  readonly ip?: string;
  /** `UP`, `DOWN` or others, as it came. */
  readonly sessionStatus?: string;
  readonly imeiLock: boolean;
  /** The locked value, where the service shows it. */
  readonly imei?: string;
  readonly connectedIMEI?: string;
  readonly registered: boolean;
  readonly activated: boolean;
  readonly resourceID: string;
  readonly registeredAt?: string;
  readonly activatedAt?: string;
  readonly deactivatedAt?: string;
  readonly simgroupID?: string;
  /** Of the current month. */
  readonly traffic?: { readonly uplinkBytes: number; readonly downlinkBytes: number };
}

/** A SIM (`api.md`, CommonServiceItem), shared as its status is. */
export interface SimItem {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Empty where the service does not show it. */
  readonly iccid: string;
  readonly availability: string;
  readonly tags: readonly string[];
  readonly createdAt?: string;
  readonly modifiedAt?: string;
  /** Only in lists. */
  readonly status?: SimStatus;
}

export interface Carrier {
  name: string;
  allow: boolean;
  countryCode?: string;
}

/** Traffic at one moment, in bits per second. */
export interface SimMetric {
  at: string;
  uplinkBps: number;
  downlinkBps: number;
}
