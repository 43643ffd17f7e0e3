-- The travel fee of the student's new lessons, in their currency.
alter table students add column travel_fee integer;
-- Not valid, because no row has a travel fee yet.
alter table students add constraint students_travel_fee_check check (travel_fee > 0) not valid;
