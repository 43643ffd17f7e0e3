import { HeroIllustration } from '../../components/HeroIllustration.tsx';
import buttons from './buttons.module.css';
import classes from './Hero.module.css';

export function Hero() {
  return (
    <section className={classes.hero} aria-labelledby="hero">
      <div>
        <h1 id="hero">
          Every lesson booked, taught and <span className={classes.marked}>paid.</span>
        </h1>
        <p className={classes.lead}>
          Lessonbook keeps an independent tutor’s timetable, students and money on one page, so the
          admin fits between lessons.
        </p>
        <div className={classes.start}>
          <a href="/signup" className={buttons.solid}>
            Start your free trial
          </a>
          <span>14-day free trial. No credit card.</span>
        </div>
      </div>
      <div className={classes.art}>
        <HeroIllustration />
      </div>
    </section>
  );
}
