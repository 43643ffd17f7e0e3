alter table charges
  validate constraint charges_kind_check,
  validate constraint charges_amount_sign,
  validate constraint charges_reversal_target,
  validate constraint charges_derived_within_amount;
