/** The title and description that link previews show for a page, and the data for its first view. */
export interface PageDescription {
  title: string;
  description: string;
  /** The HTML file of the build, by default 'link.html'. */
  file?: 'family.html' | 'family-sign-in.html' | 'family-sign-in-whatsapp.html';
  /** The file already has a heading. */
  hasHeading?: boolean;
  /** Sent with the HTML as JSON in an element with this id. */
  data?: { id: string; content: unknown };
}
