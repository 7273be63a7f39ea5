/** Whether the mail server accepted the sender at this process's last attempt. */
export class MailStatus {
  isFailing = false;
}
