(* What the core adds up under a total is what the ledger of Statement.v tests: fractions, exactly. So the ledger that
   the core keeps is private. *)
From Coq Require Import ZArith Reals QArith Qreduction Qreals List Bool Lia Lqa Znumtheory.
From Fumata Require Import SpecBase SpecCeiling SpecMachine Statement Divergence Safe Ledger.
Import ListNotations.
Local Open Scope Z_scope.

(* ACSL divides toward zero; what is divided here is not negative. *)
Ltac divides := rewrite ?Z.quot_div_nonneg, ?Z.rem_mod_nonneg by lia.

(* 1. Euclid's algorithm. *)
Lemma euclid_stops : forall a n, FumataEuclid a 0 n = a.
Proof. intros a n. rewrite FumataEuclid_acsl. destruct (n <=? 0); reflexivity. Qed.

Lemma euclid_step : forall a b n, 0 <= a -> 0 < b -> 0 < n -> FumataEuclid a b n = FumataEuclid b (a mod b) (n - 1).
Proof.
  intros a b n Ha Hb Hn. rewrite FumataEuclid_acsl. destruct (Z.leb_spec n 0); [lia|].
  destruct (Z.eqb_spec b 0); [lia|]. divides. reflexivity.
Qed.

Lemma euclid_is_gcd : forall n a b, 0 <= a -> 0 <= b < 2 ^ Z.of_nat n -> FumataEuclid a b (2 * Z.of_nat n) = Z.gcd a b.
Proof.
  assert (G : forall a b, 0 < b -> Z.gcd b (a mod b) = Z.gcd a b).
  { intros a b Hb. rewrite Z.gcd_comm, Z.gcd_mod by lia. apply Z.gcd_comm. }
  assert (S0 : forall a n, 0 <= a -> FumataEuclid a 0 n = Z.gcd a 0).
  { intros a n Ha. rewrite euclid_stops, Z.gcd_0_r, Z.abs_eq by exact Ha. reflexivity. }
  induction n as [|n IH]; intros a b Ha Hb; [replace b with 0 by (simpl in Hb; lia); apply S0, Ha|].
  destruct (Z.eq_dec b 0) as [->|Nb]; [apply S0, Ha|].
  pose proof (Z.mod_pos_bound a b ltac:(lia)) as M. rewrite euclid_step by lia. rewrite <- (G a b) by lia.
  set (r := a mod b) in *. destruct (Z.eq_dec r 0) as [->|Nr]; [apply S0; lia|].
  pose proof (Z.mod_pos_bound b r ltac:(lia)) as M'. rewrite euclid_step by lia. rewrite <- (G b r) by lia.
  replace (2 * Z.of_nat (S n) - 1 - 1) with (2 * Z.of_nat n) by lia. apply IH; [lia|].
  assert (H : 2 * (b mod r) < b).
  { pose proof (Z.div_mod b r ltac:(lia)). pose proof (Z.div_pos b r ltac:(lia) ltac:(lia)).
    destruct (Z.eq_dec (b / r) 0) as [E|]; [rewrite E in *; lia|]. nia. }
  rewrite Nat2Z.inj_succ, Z.pow_succ_r in Hb by lia. lia.
Qed.

Definition is_word (n : Z) : Prop := 0 <= n < 2 ^ 64.

Lemma divisor_is_gcd : forall a b, 0 <= a -> is_word b -> FumataDivisor a b = Z.gcd a b.
Proof. intros a b Ha Hb. apply (euclid_is_gcd 64); [exact Ha|exact Hb]. Qed.

(* 2. What a cost is worth. *)
Definition value (x : fumata_cost) : Q := (FumataNum x # Z.to_pos (FumataDen x))%Q.

(* A cost that is absent is 0 / 1. *)
Lemma absent_is_nothing : forall x, cost_den x = 0 -> FumataNum x = 0 /\ FumataDen x = 1 /\ (value x == 0)%Q.
Proof. intros x E. unfold value, FumataNum, FumataDen. rewrite E. repeat split. Qed.

Lemma fits_words : forall x, fumata_cost_fits x -> is_word (FumataNum x) /\ is_word (FumataDen x) /\ 1 <= FumataDen x.
Proof.
  intros x [Hn Hd]. unfold FumataNum, FumataDen, is_word. destruct (Z.eqb_spec (cost_den x) 0); simpl Z.pow; lia.
Qed.

Lemma same_fraction : forall a b c d, 0 < b -> 0 < d -> a * d = c * b -> ((a # Z.to_pos b) == (c # Z.to_pos d))%Q.
Proof. intros a b c d Hb Hd H. unfold Qeq. cbn [Qnum Qden]. rewrite !Z2Pos.id by assumption. exact H. Qed.

(* Lowest terms: the same value, and no other fraction of this value is smaller. *)
Theorem lowest_is_the_same : forall num den x, 0 <= num -> is_word den -> 1 <= den -> FumataIsLowest num den x ->
  (value x == (num # Z.to_pos den))%Q /\ 1 <= cost_den x /\ Z.gcd (cost_num x) (cost_den x) = 1.
Proof.
  intros num den x Hn Hw Hd [En Ed]. rewrite divisor_is_gcd in * by assumption. set (g := Z.gcd num den) in *.
  assert (G : 1 <= g) by (pose proof (Z.gcd_nonneg num den); pose proof (Z.gcd_eq_0_r num den); lia).
  assert (Dn : num = num / g * g)
    by (rewrite Z.mul_comm; apply Z_div_exact_2; [lia|apply Z.mod_divide; [lia|apply Z.gcd_divide_l]]).
  assert (Dd : den = den / g * g)
    by (rewrite Z.mul_comm; apply Z_div_exact_2; [lia|apply Z.mod_divide; [lia|apply Z.gcd_divide_r]]).
  rewrite ?Z.quot_div_nonneg in En, Ed by lia. assert (P : 1 <= den / g) by nia.
  split; [|split; [lia|rewrite En, Ed; apply Z.gcd_div_gcd; [lia|reflexivity]]].
  unfold value, FumataNum, FumataDen. destruct (Z.eqb_spec (cost_den x) 0); [lia|].
  apply same_fraction; [lia|lia|]. rewrite En, Ed. clearbody g. revert Dn Dd.
  generalize (num / g) (den / g). intros p q Dn Dd. rewrite Dn, Dd. ring.
Qed.

(* 3. Sums. *)
Section Sums.
Variables x y : fumata_cost.
Hypothesis fits_x : fumata_cost_fits x.
Hypothesis fits_y : fumata_cost_fits y.

Lemma common_parts : exists a b g, 1 <= a /\ 1 <= b /\ 1 <= g /\ FumataDen x = a * g /\ FumataDen y = b * g /\
  FumataSumDen x y = FumataDen x * b /\ FumataSumNum x y = FumataNum x * b + FumataNum y * a /\
  (forall m, (FumataDen x | m) -> (FumataDen y | m) -> (a * g * b | m)).
Proof.
  destruct (fits_words x fits_x) as [Wn [Wd P]]. destruct (fits_words y fits_y) as [Vn [Vd Q]].
  unfold FumataSumDen, FumataSumNum. rewrite divisor_is_gcd by (unfold is_word in *; lia).
  set (c := FumataDen x) in *. set (d := FumataDen y) in *. set (g := Z.gcd c d).
  assert (G : 1 <= g) by (pose proof (Z.gcd_nonneg c d); pose proof (Z.gcd_eq_0_r c d); lia).
  assert (Dc : c = c / g * g)
    by (rewrite Z.mul_comm; apply Z_div_exact_2; [lia|apply Z.mod_divide; [lia|apply Z.gcd_divide_l]]).
  assert (Dd : d = d / g * g)
    by (rewrite Z.mul_comm; apply Z_div_exact_2; [lia|apply Z.mod_divide; [lia|apply Z.gcd_divide_r]]).
  exists (c / g), (d / g), g. rewrite ?Z.quot_div_nonneg by lia. rewrite <- Dc. repeat split; try assumption; try nia.
  intros m Hc Hd. assert (L := Z.lcm_least c d m Hc Hd). unfold Z.lcm in L. fold g in L.
  rewrite Z.abs_eq in L by nia. exact L.
Qed.

(* The sum is the sum. *)
Theorem sum_is_exact : forall s, FumataHasSum x y -> FumataIsLowest (FumataSumNum x y) (FumataSumDen x y) s ->
  (value s == value x + value y)%Q /\ 1 <= cost_den s /\ Z.gcd (cost_num s) (cost_den s) = 1.
Proof.
  intros s [Hn Hd] Hs. unfold FumataIsWord in *.
  destruct common_parts as [a [b [g [A [B [G [Ex [Ey [Ed [En _]]]]]]]]]].
  destruct (fits_words x fits_x) as [Wn [Wd P]]. destruct (fits_words y fits_y) as [Vn [Vd Q]]. unfold is_word in *.
  assert (R : 1 <= FumataSumDen x y) by nia. assert (N : 0 <= FumataSumNum x y) by nia.
  assert (W : is_word (FumataSumDen x y)) by (unfold is_word; simpl Z.pow; lia).
  destruct (lowest_is_the_same _ _ s N W R Hs) as [V Lowest].
  split; [|exact Lowest]. rewrite V. unfold value, Qplus. cbn [Qnum Qden]. rewrite !Z2Pos.id by lia.
  rewrite <- Z2Pos.inj_mul by lia. apply same_fraction; nia.
Qed.

(* Refused is only what no common denominator of 64 bits can say. *)
Theorem refused_sum_is_too_wide : forall m a b, FumataDen x * a = m -> FumataDen y * b = m -> 0 < m < 2 ^ 64 ->
  FumataNum x * a + FumataNum y * b < 2 ^ 64 -> FumataHasSum x y.
Proof.
  intros m a b Ha Hb Hm Hn. destruct common_parts as [p [q [g [P [Q [G [Ex [Ey [Ed [En L]]]]]]]]]].
  destruct (fits_words x fits_x) as [Wn _]. destruct (fits_words y fits_y) as [Vn _]. unfold is_word in *.
  destruct (L m) as [k Hk]; [exists a; lia|exists b; lia|].
  assert (K : 1 <= k) by nia. assert (Aq : a = k * q) by (apply (Z.mul_reg_l _ _ (p * g)); nia).
  assert (Bp : b = k * p) by (apply (Z.mul_reg_l _ _ (q * g)); nia).
  unfold FumataHasSum, FumataIsWord. rewrite Ed, En, Ex. simpl Z.pow in *. subst a b. split; nia.
Qed.
End Sums.

(* 4. The total. *)
Theorem within_is_le : forall x total, fumata_cost_fits x -> fumata_cost_fits total ->
  FumataIsWithin x total <-> cost_den total = 0 \/ (value x <= value total)%Q.
Proof.
  intros x total Fx [_ Ht]. destruct (fits_words x Fx) as [_ [_ Dx]].
  unfold FumataIsWithin. destruct (Z.eqb_spec (cost_den total) 0) as [E|E]; [tauto|].
  assert (Vn : FumataNum total = cost_num total) by (unfold FumataNum; destruct (Z.eqb_spec (cost_den total) 0); [lia|reflexivity]).
  assert (Vd : FumataDen total = cost_den total) by (unfold FumataDen; destruct (Z.eqb_spec (cost_den total) 0); [lia|reflexivity]).
  unfold value, Qle. cbn [Qnum Qden]. rewrite Vn, Vd, !Z2Pos.id by lia. tauto.
Qed.

Lemma value_nonnegative : forall x, fumata_cost_fits x -> (0 <= value x)%Q.
Proof. intros x F. destruct (fits_words x F) as [[N _] _]. unfold value, Qle. cbn [Qnum Qden]. lia. Qed.

(* The two calls of one payment. They are whatever their contracts (core/ceiling.h) allow. *)
Section Core.
Variable add : fumata_cost -> fumata_cost -> fumata_cost * Z.   (* what is in *sum afterwards, and the status *)
Variable is_within : fumata_cost -> fumata_cost -> Z.
Variable unset : fumata_cost.                                   (* what was in *sum before *)
Hypothesis add_fits : forall x y, fumata_cost_fits (fst (add x y)).
Hypothesis add_contract : forall x y, fumata_ceiling_add_ensures x y unset (fst (add x y)) (snd (add x y)).
Hypothesis within_contract : forall x total, fumata_ceiling_within_ensures x total (is_within x total).

(* What was spent after a payment, or nothing when it is refused. *)
Definition pay (total spent cost : fumata_cost) : option fumata_cost :=
  let (sum, status) := add spent cost in
  if (status =? FUMATA_OK) && (is_within sum total =? 1) then Some sum else None.

Lemma pay_is : forall total spent cost, pay total spent cost =
  if FumataHasSum_b spent cost && FumataIsWithin_b (fst (add spent cost)) total then Some (fst (add spent cost)) else None.
Proof.
  intros total spent cost. unfold pay. pose proof (add_contract spent cost) as [A W].
  destruct (add spent cost) as [sum status]. cbn [fst snd] in *. pose proof (within_contract sum total) as B.
  unfold fumata_ceiling_within_ensures in B. rewrite <- FumataHasSum_true in A, W. destruct (FumataHasSum_b spent cost).
  - destruct (A eq_refl) as [-> _]. destruct (FumataIsWithin_b sum total); rewrite B; reflexivity.
  - destruct (W ltac:(discriminate)) as [_ ->]. reflexivity.
Qed.

(* A payment passes if and only if the ledger's own test passes it, but for one whose sum is too wide to be written down;
   and after it as much is left as the ledger says. *)
Theorem core_pays_as_the_ledger : forall total spent cost,
  fumata_cost_fits total -> fumata_cost_fits spent -> fumata_cost_fits cost -> 1 <= cost_den total ->
  match pay total spent cost with
  | Some sum => Qle_bool (value cost) (value total - value spent) = true /\
      (value total - value sum == value total - value spent - value cost)%Q /\ fumata_cost_fits sum
  | None => ~ FumataHasSum spent cost \/ Qle_bool (value cost) (value total - value spent) = false
  end.
Proof.
  intros total spent cost Ft Fs Fc Dt. rewrite pay_is. pose proof (add_contract spent cost) as [A _].
  pose proof (add_fits spent cost) as Fm. destruct (add spent cost) as [sum status]. cbn [fst snd] in *.
  destruct (FumataHasSum_b spent cost) eqn:H; cbn [andb].
  2:{ left. intros K. apply FumataHasSum_true in K. congruence. }
  apply FumataHasSum_true in H. destruct (A H) as [_ L]. destruct (sum_is_exact spent cost Fs Fc sum H L) as [V _].
  assert (T : FumataIsWithin sum total <-> (value cost <= value total - value spent)%Q).
  { rewrite within_is_le, V by assumption. split; [intros [E|E]; [lia|]|intros E; right]; lra. }
  rewrite <- Qle_bool_iff, <- FumataIsWithin_true in T. destruct (FumataIsWithin_b sum total).
  - split; [apply T; reflexivity|]. split; [rewrite V; ring|exact Fm].
  - right. destruct (Qle_bool (value cost) (value total - value spent)); [|reflexivity]. destruct T as [_ T].
    discriminate T; reflexivity.
Qed.

(* 5. The ledger that the core keeps: the one of Statement.v, but that an opening pays its `bill`, an epsilon and a delta,
   by two calls each. *)
Section Kept.
Variables D X B : Type.
Variable near : D -> D -> Prop.
Variable next : list (option B) -> option (@request D X B).
Variable bill : list (option B) -> fumata_cost * fumata_cost.   (* of the opening that is asked for then *)
Variables total_epsilon total_delta : fumata_cost.
Hypothesis fits_epsilon : fumata_cost_fits total_epsilon.
Hypothesis fits_delta : fumata_cost_fits total_delta.
Hypothesis some_epsilon : 1 <= cost_den total_epsilon.
Hypothesis some_delta : 1 <= cost_den total_delta.
Hypothesis bill_fits : forall seen, fumata_cost_fits (fst (bill seen)) /\ fumata_cost_fits (snd (bill seen)).
Hypothesis bill_safe : forall seen Y A e d o h s, next seen = Some (@Open D X B Y A e d o h s) ->
  safe (Q2R (value (fst (bill seen)))) (Q2R (value (snd (bill seen)))) near o.

Definition pay_both (spent cost : fumata_cost * fumata_cost) : option (fumata_cost * fumata_cost) :=
  match pay total_epsilon (fst spent) (fst cost), pay total_delta (snd spent) (snd cost) with
  | Some e, Some d => Some (e, d)
  | _, _ => None
  end.

Fixpoint core_ledger (n : nat) (spent : fumata_cost * fumata_cost) (data : D) (opened : list (process X B))
  (seen : list (option B)) : law (list (option B)) :=
  match n, next seen with
  | S m, Some r => let go spent opened b := core_ledger m spent data opened (b :: seen) in match r with
    | Open _ _ opening hear say => match pay_both spent (bill seen) with
        | Some spent' => bind (opening data) (fun p => go spent' (through hear say p :: opened) None)
        | None => go spent opened None end
    | Go i x => match nth_error opened i with None => go spent opened None | Some p =>
        let (b, p') := ask p x in go spent (firstn i opened ++ p' :: skipn (S i) opened) (Some b) end end
  | _, _ => [(seen, 1%R)]
  end.

(* What is spent follows from what was seen. *)
Variable first : fumata_cost * fumata_cost.
Hypothesis first_fits : fumata_cost_fits (fst first) /\ fumata_cost_fits (snd first).

Fixpoint spent_after (seen : list (option B)) : fumata_cost * fumata_cost :=
  match seen with
  | [] => first
  | _ :: before => match next before with
    | Some (Open _ _ _ _ _) =>
        match pay_both (spent_after before) (bill before) with Some spent => spent | None => spent_after before end
    | _ => spent_after before end
  end.

(* A request of which the ledger of Statement.v decides as the core does: one that the core refuses costs more than the
   whole total. *)
Definition billed (seen : list (option B)) : option (@request D X B) :=
  match next seen with
  | Some (Open _ _ o h s) => Some (Open (value (fst (bill seen)))
      (match pay_both (spent_after seen) (bill seen) with
       | Some _ => value (snd (bill seen)) | None => value (snd (bill seen)) + value total_delta + 1 end)%Q o h s)
  | r => r
  end.

Lemma both_pay_as_the_ledger : forall spent cost,
  fumata_cost_fits (fst spent) /\ fumata_cost_fits (snd spent) -> fumata_cost_fits (fst cost) /\ fumata_cost_fits (snd cost) ->
  match pay_both spent cost with
  | Some s => (fumata_cost_fits (fst s) /\ fumata_cost_fits (snd s)) /\
      (value (fst cost) <= value total_epsilon - value (fst spent))%Q /\
      (value (snd cost) <= value total_delta - value (snd spent))%Q /\
      (value total_epsilon - value (fst s) == value total_epsilon - value (fst spent) - value (fst cost))%Q /\
      (value total_delta - value (snd s) == value total_delta - value (snd spent) - value (snd cost))%Q
  | None => True
  end.
Proof.
  intros spent cost [Fe Fd] [Ce Cd]. unfold pay_both.
  pose proof (core_pays_as_the_ledger total_epsilon (fst spent) (fst cost) fits_epsilon Fe Ce some_epsilon) as E.
  pose proof (core_pays_as_the_ledger total_delta (snd spent) (snd cost) fits_delta Fd Cd some_delta) as F.
  destruct (pay total_epsilon (fst spent) (fst cost)) as [e|]; [|exact I].
  destruct (pay total_delta (snd spent) (snd cost)) as [d|]; [|exact I]. rewrite !Qle_bool_iff in E, F.
  cbn [fst snd]. tauto.
Qed.

Lemma spent_fits : forall seen, fumata_cost_fits (fst (spent_after seen)) /\ fumata_cost_fits (snd (spent_after seen)).
Proof.
  induction seen as [|b seen IH]; [exact first_fits|]. cbn [spent_after].
  destruct (next seen) as [[i x|Y A e d o h s]|]; [exact IH| |exact IH].
  pose proof (both_pay_as_the_ledger (spent_after seen) (bill seen) IH (bill_fits seen)) as P.
  destruct (pay_both (spent_after seen) (bill seen)); [apply P|exact IH].
Qed.

Lemma core_ledger_is_ledger : forall n data opened seen e d,
  (e == value total_epsilon - value (fst (spent_after seen)))%Q -> (d == value total_delta - value (snd (spent_after seen)))%Q ->
  core_ledger n (spent_after seen) data opened seen = ledger n e d billed data opened seen.
Proof.
  induction n as [|n IH]; intros data opened seen e d He Hd; [reflexivity|]. cbn [core_ledger ledger]. unfold billed at 1.
  pose proof (fun b => eq_refl : spent_after (b :: seen) = match next seen with
    | Some (Open _ _ _ _ _) =>
        match pay_both (spent_after seen) (bill seen) with Some spent => spent | None => spent_after seen end
    | _ => spent_after seen end) as S.
  destruct (next seen) as [[i x|Y A e0 d0 o h s]|] eqn:Ex; [| |reflexivity].
  - destruct (nth_error opened i) as [p|].
    + destruct (ask p x) as [a p']. rewrite <- (S (Some a)). apply IH; rewrite (S (Some a)); assumption.
    + rewrite <- (S None). apply IH; rewrite (S None); assumption.
  - pose proof (both_pay_as_the_ledger (spent_after seen) (bill seen) (spent_fits seen) (bill_fits seen)) as P.
    destruct (pay_both (spent_after seen) (bill seen)) as [s'|].
    + destruct P as [_ [Le [Ld [Se Sd]]]]. rewrite <- He in Le. rewrite <- Hd in Ld. apply Qle_bool_iff in Le, Ld.
      rewrite Le, Ld. cbn [andb]. unfold bind. apply flat_map_ext. intros p. f_equal.
      rewrite <- (S None). apply IH; rewrite (S None); [rewrite Se, He|rewrite Sd, Hd]; reflexivity.
    + assert (N : Qle_bool (value (snd (bill seen)) + value total_delta + 1)%Q d = false).
      { destruct (Qle_bool (value (snd (bill seen)) + value total_delta + 1)%Q d) eqn:K; [|reflexivity].
        apply Qle_bool_iff in K. rewrite Hd in K.
        pose proof (value_nonnegative _ (proj2 (bill_fits seen))). pose proof (value_nonnegative _ (proj2 (spent_fits seen))).
        exfalso. lra. }
      rewrite N, andb_false_r. rewrite <- (S None). apply IH; rewrite (S None); assumption.
Qed.

(* Whatever is opened and asked, the ledger that the core keeps is private for the whole of its total. *)
Theorem ledger_of_the_core_is_private : forall n, (forall b b' : B, {b = b'} + {b <> b'}) ->
  (value (fst first) == 0)%Q -> (value (snd first) == 0)%Q ->
  private (Q2R (value total_epsilon)) (Q2R (value total_delta)) near (fun data => core_ledger n first data [] []).
Proof.
  intros n same He Hd.
  apply (private_ext _ _ _ _ _ (fun data => ledger n (value total_epsilon) (value total_delta) billed data [] [])).
  { intros data. symmetry. apply (core_ledger_is_ledger n data [] []); cbn [spent_after]; [rewrite He|rewrite Hd]; ring. }
  apply ledger_composes; [exact same|apply value_nonnegative, fits_epsilon|apply value_nonnegative, fits_delta|].
  apply openings_are_safe. intros seen. unfold billed.
  destruct (next seen) as [[i x|Y A e d o h s]|] eqn:Ex; [exact I| |exact I].
  pose proof (bill_safe seen _ _ _ _ _ _ _ Ex) as Safe. cbn [safe_request].
  destruct (pay_both (spent_after seen) (bill seen)); [exact Safe|].
  intros m ask_next. destruct (Safe m ask_next) as [L W]. split; [exact L|]. intros data data' Hn.
  apply (within_weaken _ _ (Q2R (value (snd (bill seen))))); [|apply W, Hn]. apply Qle_Rle.
  pose proof (value_nonnegative _ fits_delta). lra.
Qed.
End Kept.
End Core.

(* 6. Parts: the two are the whole, and the first is one of so many equal ones. *)
Theorem parts_are_the_whole : forall x parts part part' rest rest', fumata_cost_fits x ->
  fumata_ceiling_split_ensures x parts part part' rest rest' FUMATA_OK ->
  (value part' + value rest' == value x)%Q /\ (value part' * inject_Z parts == value x)%Q.
Proof.
  intros x parts part part' rest rest' [Fn Fd] [Done Wide].
  destruct (FumataHasParts_b x parts) eqn:H; rewrite <- FumataHasParts_true in Done, Wide.
  2:{ destruct (Wide ltac:(congruence)) as [_ [_ E]]. discriminate E. }
  destruct (Done H) as [_ [Lp Lr]]. apply FumataHasParts_true in H. destruct H as [Dx [Hp [Hn Hd]]]. unfold FumataIsWord in *.
  assert (R : 1 <= cost_den x * parts) by nia. assert (N : 0 <= cost_num x * (parts - 1)) by nia.
  assert (W : is_word (cost_den x * parts)) by (unfold is_word; simpl Z.pow; lia).
  destruct (lowest_is_the_same _ _ part' (proj1 Fn) W R Lp) as [Vp _].
  destruct (lowest_is_the_same _ _ rest' N W R Lr) as [Vr _].
  assert (Vx : (value x == (cost_num x # Z.to_pos (cost_den x)))%Q).
  { unfold value, FumataNum, FumataDen. destruct (Z.eqb_spec (cost_den x) 0); [lia|reflexivity]. }
  rewrite Vp, Vr, Vx. unfold inject_Z, Qplus, Qmult, Qeq. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul, !Z2Pos.id by nia.
  split; ring.
Qed.

(* Any part that can be written down is given. *)
Theorem refused_parts_are_too_wide : forall x parts, fumata_cost_fits x -> 1 <= cost_den x -> 1 <= parts ->
  cost_num x * (parts - 1) < 2 ^ 64 -> cost_den x * parts < 2 ^ 64 -> FumataHasParts x parts.
Proof.
  intros x parts F Dx Hp Hn Hd. simpl Z.pow in *. unfold FumataHasParts, FumataIsWord. lia.
Qed.
