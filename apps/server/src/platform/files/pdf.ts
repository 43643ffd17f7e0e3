import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Font, create as readFont } from 'fontkit';
// oxlint-disable-next-line import/no-named-as-default -- its types declare only the default export.
import PDFDocument from 'pdfkit';

/**
 * Draws text in our fonts, choosing a fallback font for each glyph where needed, so that names in any script can be
 * read, selected and searched. Text is never interpreted as markup, file paths or URLs.
 */

const require = createRequire(import.meta.url);

interface FontFace {
  name: string;
  data: Buffer;
  font: Font;
}

const loadFontFace = (name: string, path: string): FontFace => {
  const data = readFileSync(path);
  return { name, data, font: readFont(data) as Font };
};

export type FontStyle = 'text' | 'strong' | 'heading';

let loadedFaces: Record<FontStyle, FontFace[]> | undefined;
/** Fonts are loaded when the first PDF is created. */
const fontFacesFor = (style: FontStyle): FontFace[] => {
  loadedFaces ??= loadFontFaces();
  return loadedFaces[style];
};

function loadFontFaces(): Record<FontStyle, FontFace[]> {
  const plain = loadFontFace('plain', require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
  const bold = loadFontFace('bold', require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'));
  return {
    text: [
      loadFontFace(
        'text',
        require.resolve('@fontsource/figtree/files/figtree-latin-400-normal.woff'),
      ),
      loadFontFace(
        'text-extended',
        require.resolve('@fontsource/figtree/files/figtree-latin-ext-400-normal.woff'),
      ),
      plain,
    ],
    strong: [
      loadFontFace(
        'strong',
        require.resolve('@fontsource/figtree/files/figtree-latin-600-normal.woff'),
      ),
      loadFontFace(
        'strong-extended',
        require.resolve('@fontsource/figtree/files/figtree-latin-ext-600-normal.woff'),
      ),
      bold,
    ],
    heading: [
      loadFontFace(
        'heading',
        require.resolve(
          '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff',
        ),
      ),
      loadFontFace(
        'heading-extended',
        require.resolve(
          '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-ext-700-normal.woff',
        ),
      ),
      bold,
    ],
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** For example '17 Nov 2026'. */
export const formatPdfDate = (date: string): string =>
  `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;

interface TextRun {
  text: string;
  face: FontFace;
}

/**
 * Splits text into runs that each use one font; a character without a glyph is drawn as an empty box from the last
 * font.
 */
function toTextRuns(text: string, style: FontStyle): TextRun[] {
  const faces = fontFacesFor(style);
  const runs: TextRun[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const face = faces.find(({ font }) => font.hasGlyphForCodePoint(code)) ?? faces.at(-1);
    const last = runs.at(-1);
    if (last && last.face === face) last.text += character;
    else runs.push({ text: character, face: face as FontFace });
  }
  return runs;
}

export interface TextOptions {
  style?: FontStyle;
  size?: number;
  color?: string;
  align?: 'left' | 'right';
}

export const A4 = { width: 595.28, height: 841.89, margin: 56 };
const TEXT_COLOR = '#16221C';
const LINE_HEIGHT = 1.4;

export class PdfWriter {
  readonly doc: PDFKit.PDFDocument;
  readonly #chunks: Buffer[] = [];
  readonly #done: Promise<Buffer>;

  constructor(info: { title: string; author: string; now: Date }) {
    this.doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      lang: 'en-GB',
      displayTitle: true,
      info: { Title: info.title, Author: info.author, CreationDate: info.now },
    });
    this.#done = new Promise((resolve, reject) => {
      this.doc.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
      this.doc.on('end', () => resolve(Buffer.concat(this.#chunks)));
      this.doc.on('error', reject);
    });
    for (const style of ['text', 'strong', 'heading'] as const)
      for (const { name, data } of fontFacesFor(style)) this.doc.registerFont(name, data);
  }

  measureWidth(text: string, options: TextOptions = {}): number {
    return toTextRuns(text, options.style ?? 'text').reduce((sum, run) => {
      this.doc.font(run.face.name).fontSize(options.size ?? 10);
      return sum + this.doc.widthOfString(run.text);
    }, 0);
  }

  /** Draws a single line without wrapping. If `align` is 'right', `x` is the right edge. */
  drawText(text: string, x: number, y: number, options: TextOptions = {}): void {
    const { style = 'text', size = 10, color = TEXT_COLOR, align = 'left' } = options;
    let runX = align === 'right' ? x - this.measureWidth(text, options) : x;
    for (const run of toTextRuns(stripControlCharacters(text), style)) {
      this.doc.font(run.face.name).fontSize(size).fillColor(color);
      const width = this.doc.widthOfString(run.text);
      this.doc.text(run.text, runX, y, { lineBreak: false });
      runX += width;
    }
  }

  /** Draws wrapped text in a column and returns the y position below it. */
  drawTextBlock(
    text: string,
    x: number,
    y: number,
    width: number,
    options: TextOptions = {},
  ): number {
    const size = options.size ?? 10;
    let nextY = y;
    for (const row of this.wrap(text, width, options)) {
      this.drawText(row, options.align === 'right' ? x + width : x, nextY, options);
      nextY += size * LINE_HEIGHT;
    }
    return nextY;
  }

  wrap(text: string, width: number, options: TextOptions = {}): string[] {
    return text.split(/\r?\n/).flatMap((paragraph) => {
      const rows: string[] = [];
      let row = '';
      for (const word of stripControlCharacters(paragraph).split(/\s+/)) {
        const candidate = row ? `${row} ${word}` : word;
        if (this.measureWidth(candidate, options) <= width) {
          row = candidate;
          continue;
        }
        if (row) rows.push(row);
        row = word;
        // A word wider than the column is split at the last character that fits.
        while (this.measureWidth(row, options) > width) {
          const characters = Array.from(row);
          let count = characters.length - 1;
          while (
            count > 1 &&
            this.measureWidth(characters.slice(0, count).join(''), options) > width
          )
            count -= 1;
          rows.push(characters.slice(0, count).join(''));
          row = characters.slice(count).join('');
        }
      }
      return [...rows, row];
    });
  }

  drawLine(x: number, y: number, toX: number, toY: number, color: string, width = 0.75): void {
    this.doc.moveTo(x, y).lineTo(toX, toY).lineWidth(width).strokeColor(color).stroke();
  }

  addPage(): void {
    this.doc.addPage({ size: 'A4', margin: 0 });
  }

  /** For headers and footers that show the total number of pages. */
  forEachPage(draw: (page: number, pages: number) => void): void {
    const { start, count } = this.doc.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.doc.switchToPage(start + page);
      draw(page + 1, count);
    }
  }

  async finish(): Promise<Buffer> {
    this.doc.end();
    return this.#done;
  }
}

/** Replaces control characters and characters that change the text direction with spaces. */
const stripControlCharacters = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose.
  text.replaceAll(/[\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g, ' ');
