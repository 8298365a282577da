(* Uniform draws: the uniform law on a list, all tuples over an alphabet, mixtures, and the coupling lemma: closeness
   survives a mixture in which the two sides are matched by a permutation. *)
From Coq Require Import Reals Lra Lia Psatz List Bool Permutation.
From Fumata Require Import Statement Divergence.
Import ListNotations.
Local Open Scope R_scope.

Fixpoint sum {A : Type} (f : A -> R) (l : list A) : R :=
  match l with
  | [] => 0
  | x :: rest => f x + sum f rest
  end.

Lemma sum_app : forall A (f : A -> R) l l', sum f (l ++ l') = sum f l + sum f l'.
Proof. induction l as [|x l IH]; intros l'; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_ext : forall A (f g : A -> R) l, (forall x, In x l -> f x = g x) -> sum f l = sum g l.
Proof.
  induction l as [|x l IH]; intros H; simpl; [reflexivity|].
  rewrite (H x (or_introl eq_refl)), IH; [reflexivity|]. intros y Hy. apply H. right. exact Hy.
Qed.

Lemma sum_le : forall A (f g : A -> R) l, (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|x l IH]; intros H; simpl; [lra|].
  pose proof (H x (or_introl eq_refl)). assert (sum f l <= sum g l) by (apply IH; intros y Hy; apply H; right;
    exact Hy).
  lra.
Qed.

Lemma sum_scale : forall A r (f : A -> R) l, sum (fun x => r * f x) l = r * sum f l.
Proof. induction l as [|x l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_plus : forall A (f g : A -> R) l, sum (fun x => f x + g x) l = sum f l + sum g l.
Proof. induction l as [|x l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_const : forall A r (l : list A), sum (fun _ => r) l = INR (length l) * r.
Proof. induction l as [|x l IH]; [simpl; lra|]. simpl sum. rewrite IH. simpl length. rewrite S_INR. lra. Qed.

Lemma sum_map : forall A B (g : A -> B) (f : B -> R) l, sum f (map g l) = sum (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma sum_flat_map : forall A B (g : A -> list B) (f : B -> R) l,
  sum f (flat_map g l) = sum (fun x => sum f (g x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite sum_app, IH. reflexivity. Qed.

Lemma sum_permutation : forall A (f : A -> R) l l', Permutation l l' -> sum f l = sum f l'.
Proof. intros A f l l' H. induction H; simpl; lra. Qed.

Lemma Pr_uniform : forall A (l : list A) S, Pr (uniform l) S = / INR (length l) * sum (fun x => if S x then 1 else 0) l.
Proof.
  intros A l S. unfold uniform. generalize (/ INR (length l)). intros r.
  induction l as [|x l IH]; simpl; [lra|]. rewrite IH. destruct (S x); lra.
Qed.

(* First an outcome, then what follows it. *)
Lemma Pr_bind : forall A B (mu : law A) (f : A -> law B) S,
  Pr (bind mu f) S = sum (fun e => snd e * Pr (f (fst e)) S) mu.
Proof.
  intros A B mu f S. unfold bind. induction mu as [|e mu IH]; simpl; [reflexivity|].
  rewrite Pr_app, IH. f_equal. apply (Pr_scale B (snd e)).
Qed.

Lemma nonnegative_bind : forall A B (mu : law A) (f : A -> law B),
  nonnegative mu -> (forall a, nonnegative (f a)) -> nonnegative (bind mu f).
Proof.
  intros A B mu f H Hf. unfold bind. induction mu as [|e mu IH]; simpl; [constructor|].
  inversion H; subst. apply nonnegative_app; [apply (nonnegative_scale B (snd e)); auto|apply IH; assumption].
Qed.

Lemma is_law_bind : forall A B (mu : law A) (f : A -> law B),
  is_law mu -> (forall a, is_law (f a)) -> is_law (bind mu f).
Proof.
  intros A B mu f [N T] Hf. split; [apply nonnegative_bind; [exact N|apply Hf]|].
  rewrite Pr_bind, <- T. clear N T. induction mu as [|[x w] mu IH]; simpl; [reflexivity|].
  rewrite IH. destruct (Hf x) as [_ ->]. ring.
Qed.

Lemma is_law_post : forall A B (f : A -> B) mu, is_law mu -> is_law (post f mu).
Proof.
  intros A B f mu [N T]. split; [|rewrite Pr_post; exact T].
  unfold post. apply Forall_map. exact N.
Qed.

Lemma is_law_uniform : forall A (l : list A), l <> [] -> is_law (uniform l).
Proof.
  intros A l H. assert (0 < INR (length l)) by (apply lt_0_INR; destruct l; [contradiction|simpl; lia]). split.
  - unfold uniform. apply Forall_map. apply Forall_forall. intros x _. simpl. left. apply Rinv_0_lt_compat. assumption.
  - rewrite Pr_uniform, sum_const. field. lra.
Qed.

Lemma Pr_mixture : forall H A (choices : list H) (select : H -> law A) S,
  Pr (mixture choices select) S = / INR (length choices) * sum (fun h => Pr (select h) S) choices.
Proof.
  intros H A choices select S. unfold mixture. rewrite Pr_bind. unfold uniform. rewrite sum_map. cbn [fst snd].
  apply sum_scale.
Qed.

Lemma Pr_post_mixture : forall H A B (choices : list H) (select : H -> law A) (f : A -> B) S,
  Pr (post f (mixture choices select)) S = Pr (mixture choices (fun h => post f (select h))) S.
Proof.
  intros H A B choices select f S. rewrite Pr_post, !Pr_mixture. f_equal. apply sum_ext. intros h _. symmetry.
  apply Pr_post.
Qed.

Lemma is_law_mixture : forall H A (choices : list H) (select : H -> law A), choices <> [] ->
  (forall h, is_law (select h)) -> is_law (mixture choices select).
Proof. intros H A choices select Hn Hs. apply is_law_bind; [apply is_law_uniform; exact Hn|exact Hs]. Qed.

Theorem within_mixture : forall H A (choices : list H) (match_with : H -> H) (P Q : H -> law A) epsilon delta,
  choices <> [] -> Permutation (map match_with choices) choices ->
  (forall h, In h choices -> within epsilon delta (P h) (Q (match_with h))) ->
  within epsilon delta (mixture choices P) (mixture choices Q).
Proof.
  intros H A choices m P Q epsilon delta Hn Hp Hw S. rewrite !Pr_mixture.
  assert (HN : 0 < INR (length choices)).
  { apply lt_0_INR. destruct choices; [contradiction|]. simpl. lia. }
  assert (L : sum (fun h => Pr (P h) S) choices <=
    exp epsilon * sum (fun h => Pr (Q h) S) choices + INR (length choices) * delta).
  { rewrite <- (sum_permutation _ (fun h => Pr (Q h) S) _ _ Hp), sum_map, <- sum_scale, <- sum_const, <- sum_plus.
    apply sum_le. intros h Hh. apply Hw. exact Hh. }
  apply (Rmult_le_compat_l (/ INR (length choices))) in L; [|left; apply Rinv_0_lt_compat; exact HN].
  eapply Rle_trans; [exact L|]. right. field. lra.
Qed.

Lemma length_flat_map_const : forall A B (f : A -> list B) l n, (forall x, length (f x) = n) ->
  length (flat_map f l) = (length l * n)%nat.
Proof. induction l as [|x l IH]; intros n H; simpl; [reflexivity|]. rewrite app_length, H, (IH n H). reflexivity. Qed.

Lemma length_tuples : forall A (alphabet : list A) n,
  length (tuples alphabet (S n)) = (length alphabet * length (tuples alphabet n))%nat.
Proof. intros A alphabet n. simpl. apply length_flat_map_const. intros x. apply map_length. Qed.

Lemma tuples_nonempty : forall A (alphabet : list A) n, alphabet <> [] -> (0 < length (tuples alphabet n))%nat.
Proof.
  intros A alphabet n Ha. induction n as [|n IH]; [simpl; lia|]. rewrite length_tuples.
  destruct alphabet; [contradiction|]. simpl length in *. nia.
Qed.

(* The first component of a uniform tuple is uniform, and the rest is a uniform tuple. *)
Lemma Pr_tuples : forall A (alphabet : list A) n S, alphabet <> [] ->
  Pr (uniform (tuples alphabet (Datatypes.S n))) S =
  / INR (length alphabet) * sum (fun a => Pr (uniform (tuples alphabet n)) (fun rest => S (a :: rest))) alphabet.
Proof.
  intros A alphabet n S Ha. rewrite Pr_uniform, length_tuples, mult_INR.
  assert (0 < INR (length alphabet)).
  { apply lt_0_INR. destruct alphabet; [contradiction|]. simpl. lia. }
  assert (0 < INR (length (tuples alphabet n))) by (apply lt_0_INR, tuples_nonempty; exact Ha).
  simpl tuples. rewrite sum_flat_map.
  rewrite (sum_ext _ _ (fun a => INR (length (tuples alphabet n)) *
    Pr (uniform (tuples alphabet n)) (fun rest => S (a :: rest)))).
  - rewrite sum_scale. field. lra.
  - intros a _. rewrite sum_map, Pr_uniform. field. lra.
Qed.

Lemma in_tuples : forall A (alphabet : list A) n t,
  In t (tuples alphabet n) <-> length t = n /\ (forall a, In a t -> In a alphabet).
Proof.
  intros A alphabet n. induction n as [|n IH]; intros t; simpl.
  - split.
    + intros [<-|[]]. split; [reflexivity|]. intros a [].
    + intros [H _]. left. destruct t; [reflexivity|discriminate].
  - rewrite in_flat_map. split.
    + intros [a [Ha Hin]]. apply in_map_iff in Hin. destruct Hin as [t' [<- Ht']].
      apply IH in Ht'. destruct Ht' as [L I]. split; [simpl; lia|]. intros b [<-|Hb]; [exact Ha|apply I; exact Hb].
    + intros [L I]. destruct t as [|a t]; [discriminate|]. exists a. split; [apply I; left; reflexivity|].
      apply in_map. apply IH. split; [simpl in L; lia|]. intros b Hb. apply I. right. exact Hb.
Qed.

Lemma nodup_app : forall A (l l' : list A), NoDup l -> NoDup l' -> (forall x, In x l -> In x l' -> False) ->
  NoDup (l ++ l').
Proof.
  induction l as [|x l IH]; intros l' Hl Hl' Hd; simpl; [exact Hl'|].
  inversion Hl; subst. constructor.
  - rewrite in_app_iff. intros [H|H]; [contradiction|]. apply (Hd x); [left; reflexivity|exact H].
  - apply IH; [assumption|assumption|]. intros y Hy Hy'. apply (Hd y); [right; exact Hy|exact Hy'].
Qed.

Lemma nodup_map : forall A B (f : A -> B) l, NoDup l ->
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup (map f l).
Proof.
  induction l as [|x l IH]; intros Hl Hf; simpl; [constructor|].
  inversion Hl; subst. constructor.
  - rewrite in_map_iff. intros [y [E Hy]]. apply H1.
    rewrite (Hf x y); [exact Hy|left; reflexivity|right; exact Hy|symmetry; exact E].
  - apply IH; [assumption|]. intros y z Hy Hz. apply Hf; right; assumption.
Qed.

Lemma nodup_tuples : forall A (alphabet : list A) n, NoDup alphabet -> NoDup (tuples alphabet n).
Proof.
  intros A alphabet n Ha. induction n as [|n IH]; simpl; [repeat constructor; intros []|].
  revert IH. generalize (tuples alphabet n). intros rest Hr.
  induction alphabet as [|a l IHl]; simpl; [constructor|].
  inversion Ha; subst. apply nodup_app; [|apply IHl; assumption|].
  - apply nodup_map; [exact Hr|]. intros x y _ _ E. inversion E. reflexivity.
  - intros t Ht Ht'. apply in_map_iff in Ht. destruct Ht as [x [<- _]].
    apply in_flat_map in Ht'. destruct Ht' as [b [Hb Hin]]. apply in_map_iff in Hin.
    destruct Hin as [y [E _]]. inversion E; subst. contradiction.
Qed.

(* A map of a duplicate-free list into itself that undoes itself only changes the order. *)
Lemma involution_permutes : forall A (f : A -> A) l, NoDup l -> (forall x, In x l -> In (f x) l) ->
  (forall x, In x l -> f (f x) = x) -> Permutation (map f l) l.
Proof.
  intros A f l Hl Hin Hf. apply NoDup_Permutation.
  - apply nodup_map; [exact Hl|]. intros x y Hx Hy E. rewrite <- (Hf x Hx), <- (Hf y Hy), E. reflexivity.
  - exact Hl.
  - intros x. rewrite in_map_iff. split.
    + intros [y [<- Hy]]. apply Hin. exact Hy.
    + intros Hx. exists (f x). split; [apply Hf; exact Hx|apply Hin; exact Hx].
Qed.
