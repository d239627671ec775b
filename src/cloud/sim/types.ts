/** A SIM's status (`api.md`, SIM status object). Datetimes are ISO 8601 as the service gives them. */
export interface SimStatus {
  iccid: string;
  imsi: string[];
  /** Absent when unset, and absent from `status()` in the Documented dialect: the list shows it. */
  ip?: string;
  /** `UP`, `DOWN` or others, as it came. */
  sessionStatus?: string;
  imeiLock: boolean;
  /** The locked value, where the service shows it. */
  imei?: string;
  connectedIMEI?: string;
  registered: boolean;
  activated: boolean;
  resourceID: string;
  registeredAt?: string;
  activatedAt?: string;
  deactivatedAt?: string;
  simgroupID?: string;
  /** Of the current month. */
  traffic?: { uplinkBytes: number; downlinkBytes: number };
}

/** A SIM (`api.md`, CommonServiceItem). */
export interface SimItem {
  id: string;
  name: string;
  description?: string;
  /** Empty where the service does not show it. */
  iccid: string;
  availability: string;
  tags: string[];
  createdAt?: string;
  modifiedAt?: string;
  /** Only in lists. */
  status?: SimStatus;
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
