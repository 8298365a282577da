(* Theorem N, about leads alone. A machine is asked by someone who sees all answers; a request is noted, or a coin is tossed
   that says yes with a chance W(lead). Two machines that stay alike while at most B of their tosses differ, and these by
   at most 1 in the lead, are within (epsilon, delta) of each other, delta = c(alpha) U^B e^(-(alpha-1) epsilon). The
   poll (Poll.v) and the toll are two such machines. The moments are those of TheoremJ.v, for a meter that is never
   asked. *)
From Coq Require Import Reals Lra Lia ZArith List Bool.
From Fumata Require Import Statement Power Divergence Uniform Game TheoremM.
Import ListNotations.
Local Open Scope R_scope.

(* What a request leads to. The state that follows does not know the answer; who asks next does. *)
Inductive outcome {state : Type} := Quiet (s : state) | Toss (lead : Z) (s : state).

Definition favour (w : nat -> R) (lead : Z) : R :=
  if (lead <? 0)%Z then 1 - w (Z.to_nat (- lead)) else w (Z.to_nat lead).

Section Leads.
  Variables state request : Type.
  Variable w : nat -> R.
  Variable next : list (option bool) -> option request.
  Variable turn : state -> request -> @outcome state.

  (* At most k requests, and coins for n of them. *)
  Fixpoint leads (k n : nat) (s : state) (seen : list (option bool)) : law (list (option bool)) :=
    match k, next seen with
    | S j, Some x =>
        match n with
        | O => leads j O s (None :: seen)
        | S m =>
            match turn s x with
            | Quiet s' => leads j m s' (None :: seen)
            | Toss l s' => scale (favour w l) (leads j m s' (Some true :: seen)) ++
                           scale (1 - favour w l) (leads j m s' (Some false :: seen))
            end
        end
    | _, _ => [(seen, 1)]
    end.
End Leads.
Arguments leads {state request}.

(* Alike: c tosses may still differ. *)
Inductive alike {state state'} (rel : nat -> state -> state' -> Prop) (c : nat)
  : @outcome state -> @outcome state' -> Prop :=
| Both_quiet : forall s s', rel c s s' -> alike rel c (Quiet s) (Quiet s')
| Same_toss : forall l s s', rel c s s' -> alike rel c (Toss l s) (Toss l s')
| Near_toss : forall b l l' s s', c = S b -> (l <= l' + 1)%Z -> (l' <= l + 1)%Z -> rel b s s' ->
    alike rel c (Toss l s) (Toss l' s').

Section Bound.
  Variables state state' request : Type.
  Variable w : nat -> R.
  Variable alpha : nat.
  Variables U epsilon : R.
  Hypothesis Hw : tolled w alpha U.
  Variable rel : nat -> state -> state' -> Prop.
  Variable turn : state -> request -> @outcome state.
  Variable turn' : state' -> request -> @outcome state'.
  Hypothesis turns_alike : forall c s s' x, rel c s s' -> alike rel c (turn s x) (turn' s' x).
  Variable next : list (option bool) -> option request.
  Variable S : list (option bool) -> bool.

  Let Hp := coin_flip_priced alpha (tolled_alpha _ _ _ Hw).
  Let give := given_up coin_flip alpha (2 ^ (alpha - 1)) U epsilon 0.

  Lemma favour_bounds : forall l, 0 <= favour w l <= 1.
  Proof.
    intros l. unfold favour.
    destruct (Z.ltb_spec l 0);
      [pose proof (tolled_open _ _ _ Hw (Z.to_nat (- l)))|pose proof (tolled_open _ _ _ Hw (Z.to_nat l))]; lra.
  Qed.

  (* One toss whose leads differ costs U; W(-l) = 1 - W(l), so a step below 0 is the step above 0 with yes for no. *)
  Lemma near_step : forall b l l' P Q, 0 <= P -> 0 <= Q -> (l <= l' + 1)%Z -> (l' <= l + 1)%Z ->
    give b (P * favour w l) (Q * favour w l') + give b (P * (1 - favour w l)) (Q * (1 - favour w l')) <=
    give (Datatypes.S b) P Q.
  Proof.
    intros b l l' P Q HP HQ H1 H2.
    assert (Step : forall d d', (d <= d' + 1)%nat -> (d' <= d + 1)%nat ->
      give b (P * w d) (Q * w d') + give b (P * (1 - w d)) (Q * (1 - w d')) <= give (Datatypes.S b) P Q)
      by (intros d d'; apply (buy_step coin_flip w alpha _ U epsilon Hp Hw); assumption).
    assert (Twice : forall x, 1 - (1 - x) = x) by (intros; ring). pose proof (tolled_zero _ _ _ Hw) as H0.
    assert (Half : forall l, l = 0%Z -> favour w l = 1 / 2) by (intros ? ->; exact H0). unfold favour in *.
    destruct (Z.ltb_spec l 0) as [L|L]; destruct (Z.ltb_spec l' 0) as [L'|L']; rewrite ?Twice.
    - rewrite Rplus_comm. apply Step; lia.
    - replace l' with 0%Z by lia. change (Z.to_nat 0) with 0%nat. rewrite H0.
      replace (1 / 2) with (1 - w 0%nat) at 1 by lra. replace (1 - 1 / 2) with (w 0%nat) by lra.
      rewrite Rplus_comm. apply Step; lia.
    - replace l with 0%Z by lia. change (Z.to_nat 0) with 0%nat. rewrite H0.
      replace (1 / 2) with (1 - w 0%nat) at 1 by lra. replace (1 - 1 / 2) with (w 0%nat) by lra.
      rewrite Rplus_comm. apply Step; lia.
    - apply Step; lia.
  Qed.

  (* One whose leads are the same costs nothing. *)
  Lemma same_step : forall c x P Q, 0 <= P -> 0 <= Q -> 0 <= x <= 1 ->
    give c (P * x) (Q * x) + give c (P * (1 - x)) (Q * (1 - x)) <= give c P Q.
  Proof.
    intros c x P Q HP HQ Hx. unfold give.
    destruct (Rle_lt_or_eq_dec 0 Q HQ) as [PQ|<-]; [|rewrite !Rmult_0_l, !given_up_all; lra].
    assert (Part : forall y, 0 <= y -> given_up coin_flip alpha (2 ^ (alpha - 1)) U epsilon 0 c (P * y) (Q * y) =
      y * given_up coin_flip alpha (2 ^ (alpha - 1)) U epsilon 0 c P Q).
    { intros y [Hy|<-]; [|rewrite !Rmult_0_r, given_up_all; ring].
      rewrite !given_up_is, moment_mult, (moment_same _ y) by (try apply Rmult_lt_0_compat; lra). ring. }
    rewrite !Part by lra. lra.
  Qed.

  Lemma leads_near : forall k n c s s' seen P Q, rel c s s' -> 0 <= P -> 0 <= Q ->
    P * Pr (leads w next turn k n s seen) S - exp epsilon * Q * Pr (leads w next turn' k n s' seen) S <= give c P Q.
  Proof.
    assert (End : forall c seen P Q, 0 <= P -> 0 <= Q ->
      P * Pr [(seen, 1)] S - exp epsilon * Q * Pr [(seen, 1)] S <= give c P Q).
    { intros c seen P Q HP HQ. simpl. destruct (S seen).
      - pose proof (given_up_covers coin_flip w alpha _ U epsilon Hp Hw 0 c P Q HP HQ). unfold give. lra.
      - pose proof (given_up_nonneg coin_flip w alpha _ U epsilon Hp Hw 0 c P Q HP). unfold give. lra. }
    induction k as [|k IH]; intros n c s s' seen P Q R HP HQ; cbn [leads]; [apply End; assumption|].
    destruct (next seen) as [x|]; [|apply End; assumption]. destruct n as [|n]; [apply IH; assumption|].
    pose proof (turns_alike c s s' x R) as A. pose proof favour_bounds as B.
    assert (Two : forall b l l' t t', rel b t t' ->
      give b (P * favour w l) (Q * favour w l') + give b (P * (1 - favour w l)) (Q * (1 - favour w l')) <= give c P Q ->
      P * Pr (scale (favour w l) (leads w next turn k n t (Some true :: seen)) ++
              scale (1 - favour w l) (leads w next turn k n t (Some false :: seen))) S -
      exp epsilon * Q * Pr (scale (favour w l') (leads w next turn' k n t' (Some true :: seen)) ++
              scale (1 - favour w l') (leads w next turn' k n t' (Some false :: seen))) S <= give c P Q).
    { intros b l l' t t' Rt G. rewrite !Pr_app, !Pr_scale. pose proof (B l). pose proof (B l').
      pose proof (IH n b t t' (Some true :: seen) (P * favour w l) (Q * favour w l') Rt
        ltac:(apply Rmult_le_pos; lra) ltac:(apply Rmult_le_pos; lra)).
      pose proof (IH n b t t' (Some false :: seen) (P * (1 - favour w l)) (Q * (1 - favour w l')) Rt
        ltac:(apply Rmult_le_pos; lra) ltac:(apply Rmult_le_pos; lra)). lra. }
    destruct A as [t t' Rt|l t t' Rt|b l l' t t' -> H1 H2 Rt].
    - apply IH; assumption.
    - apply (Two c); [exact Rt|]. apply same_step; auto.
    - apply (Two b); [exact Rt|]. apply near_step; assumption.
  Qed.
End Bound.

Theorem theorem_N : forall state state' request w alpha U epsilon (rel : nat -> state -> state' -> Prop)
  (turn : state -> request -> outcome) (turn' : state' -> request -> outcome) next B s s' k n,
  tolled w alpha U -> (forall c s s' x, rel c s s' -> alike rel c (turn s x) (turn' s' x)) -> rel B s s' ->
  within epsilon (delta_T alpha U B epsilon) (leads w next turn k n s []) (leads w next turn' k n s' []).
Proof.
  intros state state' request w alpha U epsilon rel turn turn' next B s s' k n Hw Ht R S.
  pose proof (leads_near state state' request w alpha U epsilon Hw rel turn turn' Ht next S k n B s s' [] 1 1 R
    ltac:(lra) ltac:(lra)) as I.
  rewrite given_up_is, moment_same in I by lra. unfold delta_T, worth in *. simpl in I. lra.
Qed.
