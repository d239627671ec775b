/** Settings of a gateway (`api.md`, Mobile gateway). They take effect after the next `config`. */
export interface GatewaySettings {
  internetConnection?: boolean;
  interDeviceCommunication?: boolean;
  /** The second interface; null takes it away. */
  privateInterface?: PrivateInterface | null;
  staticRoutes?: StaticRoute[];
}

export interface PrivateInterface {
  ipAddress: string;
  /** Bits, for example 24. */
  networkMaskLength: number;
}

export interface StaticRoute {
  /** CIDR. */
  prefix: string;
  nextHop: string;
}

/** One of a gateway's interfaces as the service runs it; index 0 is the shared one with the public address. */
export interface GatewayInterface {
  ipAddress?: string;
  userIPAddress?: string;
  hostName?: string;
  switch?: { id: string; name?: string; scope?: string };
}

export interface Gateway {
  id: string;
  name: string;
  description?: string;
  planID?: number;
  /** `migrating`, `available`, `failed` or others, as it came. */
  availability: string;
  /** `up`, `down`, `cleaning` or others, as it came; absent before the first boot. */
  instanceStatus?: string;
  instanceStatusChangedAt?: string;
  /** Absent until settings were set for the first time. */
  settings?: GatewaySettings;
  settingsHash?: string;
  interfaces: (GatewayInterface | null)[];
  tags: string[];
  createdAt?: string;
}

export interface SimRoute {
  /** The SIM's ID. */
  resourceID: string;
  /** CIDR. */
  prefix: string;
  /** Only in answers. */
  iccid?: string;
}

export interface DNSResolvers {
  primary: string;
  secondary: string;
}

/** What a gateway's traffic monitoring does. */
export interface TrafficMonitoring {
  quotaMB: number;
  autoTrafficShaping: boolean;
  bandwidthLimitKbps?: number | undefined;
  email: boolean;
  chat: boolean;
  /** A secret: it lets anybody write into the chat. */
  chatWebhookURL?: string | undefined;
}

/** Of the current month, as far as the service says. */
export interface TrafficStatus {
  uplinkBytes: number;
  downlinkBytes: number;
  trafficShaping: boolean;
}
