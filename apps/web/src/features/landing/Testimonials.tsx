import { testimonials } from './content.ts';
import classes from './Testimonials.module.css';

export function Testimonials() {
  return (
    <section className={classes.section} aria-labelledby="testimonials-heading">
      <h2 id="testimonials-heading">What a book like this changes</h2>
      <p className={classes.note}>
        Illustrative: these are the words of no real customer, but of the tutors we had in mind.
      </p>
      <div className={classes.quotes}>
        {testimonials.map(({ quote, tutor, teaches }) => (
          <figure key={tutor}>
            <blockquote>{quote}</blockquote>
            <figcaption>
              <b>{tutor}</b>
              {teaches}
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
