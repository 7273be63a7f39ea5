import { DEVICE_SECONDS } from "./devices.ts";
import { PrivateCookie } from "./private-cookie.ts";

/** The cookie that recognises a browser in which a user has signed in. */
export class DeviceCookie extends PrivateCookie {
  constructor(publicUrl: string) {
    super(publicUrl, "whytrace_device", DEVICE_SECONDS);
  }
}
