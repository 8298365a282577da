(* The laws of real numbers that the C proofs lean on (specs/algebra.acsl), each proved here a second time. The script
   `transcription` compares the two texts. *)
From Coq Require Import Reals Lra Field Psatz.
Open Scope R_scope.

Lemma FumataInverse : forall b, 0 < b -> b * (1 / b) = 1.
Proof. intros; field; lra. Qed.

Lemma FumataQuotient : forall a b, 0 < b -> a / b = a * (1 / b).
Proof. intros; field; lra. Qed.

Lemma FumataReversed : forall b, 0 < b -> 0 < 1 / b.
Proof. intros; apply Rdiv_lt_0_compat; lra. Qed.

Definition FumataPositive (a b : R) : Prop := 0 <= a /\ 0 <= b.

Lemma FumataProduct : forall a b, FumataPositive a b -> 0 <= a * b.
Proof. unfold FumataPositive; intros; nra. Qed.

Definition FumataNested (a b c d : R) : Prop := 0 <= a <= b /\ 0 <= c <= d.

Lemma FumataNested1 : forall a b c d, FumataNested a b c d -> 0 <= (b - a) * c.
Proof. unfold FumataNested; intros; nra. Qed.

Lemma FumataNested2 : forall a b c d, FumataNested a b c d -> 0 <= (d - c) * b.
Proof. unfold FumataNested; intros; nra. Qed.

Lemma FumataNested3 : forall a b c d, FumataNested a b c d -> a * c <= b * d.
Proof. unfold FumataNested; intros; nra. Qed.

Definition FumataOver (a b c : R) : Prop := 0 < b /\ c <= a * b.

Lemma FumataOver1 : forall a b c, FumataOver a b c -> c * (1 / b) <= (a * b) * (1 / b).
Proof. unfold FumataOver; intros a b c [B C]; pose proof (FumataReversed b B); nra. Qed.

Lemma FumataOver2 : forall a b c, FumataOver a b c -> c / b <= a.
Proof.
  intros a b c H; pose proof (FumataOver1 a b c H) as K; destruct H as [B _].
  replace (a * b * (1 / b)) with a in K by (field; lra).
  rewrite (FumataQuotient c b B); exact K.
Qed.

Definition FumataAtLeast (a b c : R) : Prop := c / b <= a.

Lemma FumataOver3 : forall a b c, FumataOver a b c -> FumataAtLeast a b c.
Proof. exact FumataOver2. Qed.

Definition FumataUnder (a b c : R) : Prop := 0 < b /\ a * b <= c.

Lemma FumataUnder1 : forall a b c, FumataUnder a b c -> (a * b) * (1 / b) <= c * (1 / b).
Proof. unfold FumataUnder; intros a b c [B C]; pose proof (FumataReversed b B); nra. Qed.

Lemma FumataUnder2 : forall a b c, FumataUnder a b c -> a <= c / b.
Proof.
  intros a b c H; pose proof (FumataUnder1 a b c H) as K; destruct H as [B _].
  replace (a * b * (1 / b)) with a in K by (field; lra).
  rewrite (FumataQuotient c b B); exact K.
Qed.

Definition FumataAtMost (a b c : R) : Prop := a <= c / b.

Lemma FumataUnder3 : forall a b c, FumataUnder a b c -> FumataAtMost a b c.
Proof. exact FumataUnder2. Qed.

Definition FumataCancels (a b c : R) : Prop := 0 < c /\ a * c <= b * c.

Lemma FumataCancels1 : forall a b c, FumataCancels a b c -> (a * c) * (1 / c) <= (b * c) * (1 / c).
Proof. unfold FumataCancels; intros a b c [C H]; pose proof (FumataReversed c C); nra. Qed.

Lemma FumataCancels2 : forall a b c, FumataCancels a b c -> a <= b.
Proof. unfold FumataCancels; intros; nra. Qed.

Definition FumataStrict (a b c : R) : Prop := 0 < c /\ a < b.

Lemma FumataStrict1 : forall a b c, FumataStrict a b c -> ~ FumataCancels b a c.
Proof. unfold FumataStrict, FumataCancels; intros a b c H K; nra. Qed.

Lemma FumataStrict2 : forall a b c, FumataStrict a b c -> a * c < b * c.
Proof. unfold FumataStrict; intros; nra. Qed.

Definition FumataFraction (a b c d : R) : Prop := 0 <= a <= c /\ 0 < d <= b.

Lemma FumataFraction1 : forall a b c d, FumataFraction a b c d -> FumataOver (c * (1 / d)) d c.
Proof.
  unfold FumataFraction, FumataOver; intros a b c d H; split; [lra |].
  replace (c * (1 / d) * d) with c by (field; lra); lra.
Qed.

Lemma FumataFraction2 : forall a b c d, FumataFraction a b c d ->
  FumataNested (c * (1 / d)) (c * (1 / d)) d b.
Proof.
  unfold FumataFraction, FumataNested; intros a b c d H.
  assert (D : 0 < d) by lra; pose proof (FumataReversed d D); repeat split; nra.
Qed.

Lemma FumataFraction3 : forall a b c d, FumataFraction a b c d -> FumataOver (c * (1 / d)) b a.
Proof.
  intros a b c d H; pose proof (FumataFraction1 a b c d H) as [_ K].
  pose proof (FumataNested3 _ _ _ _ (FumataFraction2 a b c d H)).
  unfold FumataFraction in H; split; lra.
Qed.

Lemma FumataFraction4 : forall a b c d, FumataFraction a b c d -> a / b <= c / d.
Proof.
  intros a b c d H; pose proof (FumataOver2 _ _ _ (FumataFraction3 a b c d H)).
  unfold FumataFraction in H; rewrite (FumataQuotient c d); lra.
Qed.

Definition FumataBelowLine (b c : R) : Prop := 0 < b /\ 0 < c.

Lemma FumataBelowLine1 : forall b c, FumataBelowLine b c -> FumataStrict 0 b c.
Proof. unfold FumataBelowLine, FumataStrict; intros; lra. Qed.

Lemma FumataBelowLine2 : forall b c, FumataBelowLine b c -> ((1 / b) * (1 / c)) * (b * c) = 1.
Proof. unfold FumataBelowLine; intros; field; lra. Qed.

Lemma FumataBelowLine3 : forall b c, FumataBelowLine b c -> FumataOver ((1 / b) * (1 / c)) (b * c) 1.
Proof.
  intros b c H; pose proof (FumataBelowLine2 b c H).
  unfold FumataBelowLine in H; split; nra.
Qed.

Lemma FumataBelowLine4 : forall b c, FumataBelowLine b c -> FumataUnder ((1 / b) * (1 / c)) (b * c) 1.
Proof.
  intros b c H; pose proof (FumataBelowLine2 b c H).
  unfold FumataBelowLine in H; split; nra.
Qed.

Lemma FumataBelowLine5 : forall b c, FumataBelowLine b c -> 1 / (b * c) = (1 / b) * (1 / c).
Proof. unfold FumataBelowLine; intros; field; lra. Qed.

Definition FumataReaches (a b x : R) : Prop := 0 < b /\ a / b <= x.

Lemma FumataReaches1 : forall a b x, FumataReaches a b x -> (a * (1 / b)) * b = a.
Proof. unfold FumataReaches; intros; field; lra. Qed.

Lemma FumataReaches2 : forall a b x, FumataReaches a b x -> FumataPositive (x - a * (1 / b)) b.
Proof.
  unfold FumataReaches, FumataPositive; intros a b x [B X].
  rewrite (FumataQuotient a b B) in X; lra.
Qed.

Lemma FumataReaches3 : forall a b x, FumataReaches a b x -> a <= x * b.
Proof.
  intros a b x H; pose proof (FumataReaches1 a b x H).
  pose proof (FumataProduct _ _ (FumataReaches2 a b x H)); nra.
Qed.

Definition FumataOrdered (a b : R) : Prop := 0 <= a <= b.

(* The products and quotients have names below, for a prover that finds a law by its arguments alone. *)
Definition FumataShifts (a b c x u : R) : Prop := a * b = x /\ b * c = u.

Lemma FumataShifts1 : forall a b c x u, FumataShifts a b c x u -> x * c = a * u.
Proof. unfold FumataShifts; intros a b c x u [X U]; subst; ring. Qed.

Definition FumataMoves (a b c x u y z : R) : Prop := FumataShifts a b c x u /\ x * c = y /\ a * u = z.

Lemma FumataMoves1 : forall a b c x u y z, FumataMoves a b c x u y z -> y = z.
Proof.
  intros a b c x u y z [H [Y Z]]; rewrite <- Y, <- Z; exact (FumataShifts1 a b c x u H).
Qed.

Definition FumataProducts (a b c d x y : R) : Prop := FumataNested a b c d /\ x <= a * c /\ b * d = y.

Lemma FumataProducts1 : forall a b c d x y, FumataProducts a b c d x y -> x <= y.
Proof.
  intros a b c d x y [H [X Y]]; pose proof (FumataNested3 a b c d H); lra.
Qed.

Definition FumataRatios (a b c d x y : R) : Prop := FumataFraction a b c d /\ a / b = x /\ c / d = y.

Lemma FumataRatios1 : forall a b c d x y, FumataRatios a b c d x y -> x <= y.
Proof.
  intros a b c d x y [H [X Y]]; rewrite <- X, <- Y; exact (FumataFraction4 a b c d H).
Qed.

Definition FumataPart (a b x : R) : Prop := FumataUnder 0 b a /\ a / b = x.

Lemma FumataPart1 : forall a b x, FumataPart a b x -> 0 <= x.
Proof. intros a b x [H X]; rewrite <- X; exact (FumataUnder2 0 b a H). Qed.

Lemma FumataPart2 : forall b x, FumataPart b b x -> x = 1.
Proof. unfold FumataPart, FumataUnder; intros b x [[B _] X]; rewrite <- X; field; lra. Qed.

Definition FumataRate (a k b c x y : R) : Prop :=
  FumataBelowLine b c /\ a * k / (b * c) = x /\ k * (a / b) / c = y.

Lemma FumataRate1 : forall a k b c x y, FumataRate a k b c x y -> x = a * k * (1 / (b * c)).
Proof. unfold FumataRate, FumataBelowLine; intros a k b c x y [H [X _]]; rewrite <- X; field; lra. Qed.

Lemma FumataRate2 : forall a k b c x y, FumataRate a k b c x y -> y = k * (a * (1 / b)) * (1 / c).
Proof. unfold FumataRate, FumataBelowLine; intros a k b c x y [H [_ Y]]; rewrite <- Y; field; lra. Qed.

Lemma FumataRate3 : forall a k b c x y, FumataRate a k b c x y -> x = y.
Proof.
  intros a k b c x y H; rewrite (FumataRate1 a k b c x y H), (FumataRate2 a k b c x y H).
  destruct H as [B _]; rewrite (FumataBelowLine5 b c B); ring.
Qed.
