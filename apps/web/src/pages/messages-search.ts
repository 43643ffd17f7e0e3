/** What the address says about the messages: those still to send, or the log, of all or of one family. */
export interface MessagesSearch {
  show?: 'sent';
  family?: number;
}
