(* What is safe: a release that says the same whenever it is asked, and what is safe in another language. *)
From Coq Require Import Reals Lra QArith Qreals List Bool.
From Fumata Require Import Statement Divergence Uniform.
Import ListNotations.
Local Open Scope R_scope.

Lemma is_law_point : forall A (a : A), is_law [(a, 1)].
Proof. intros A a. split; [repeat constructor; simpl; lra|]. simpl. lra. Qed.

Lemma safe_is_law : forall D X A epsilon delta near (opening : D -> law (process X A)),
  safe epsilon delta near opening -> forall data, is_law (opening data).
Proof.
  intros D X A epsilon delta near opening H data. destruct (H O (fun _ => None)) as [L _]. specialize (L data).
  destruct L as [N T]. rewrite Pr_post in T. split; [|exact T]. unfold post in N. rewrite Forall_map in N. exact N.
Qed.

Lemma private_post : forall D A B epsilon delta near (release : D -> law A) (f : A -> B),
  private epsilon delta near release -> private epsilon delta near (fun data => post f (release data)).
Proof.
  intros D A B epsilon delta near release f [L W]. split; [intros data; apply is_law_post; apply L|].
  intros data data' Hn. apply within_post. apply W. exact Hn.
Qed.

Lemma post_post : forall A B C (f : A -> B) (g : B -> C) mu, post g (post f mu) = post (fun a => g (f a)) mu.
Proof. intros A B C f g mu. unfold post. rewrite map_map. reflexivity. Qed.

Lemma private_ext : forall D A epsilon delta near (f g : D -> law A), (forall data, f data = g data) ->
  private epsilon delta near f -> private epsilon delta near g.
Proof.
  intros D A epsilon delta near f g E [L W]. split; [intros data; rewrite <- E; apply L|].
  intros data data' Hn. rewrite <- !E. apply W. exact Hn.
Qed.

(* Who is heard and told through others learns what they say. *)
Lemma alone_through : forall X Y A B (hear : X -> Y) (say : A -> B) n next p seen,
  alone n next (through hear say p) (map say seen) =
  map say (alone n (fun l => option_map hear (next (map say l))) p seen).
Proof.
  intros X Y A B hear say. induction n as [|n IH]; intros next p seen; [reflexivity|]. cbn [alone].
  destruct (next (map say seen)) as [x|]; [|reflexivity]. cbn [option_map through ask].
  destruct (ask p (hear x)) as [a q]. exact (IH next q (a :: seen)).
Qed.

Lemma through_safe : forall D X Y A B epsilon delta near (opening : D -> law (process Y A)) (hear : X -> Y)
  (say : A -> B),
  safe epsilon delta near opening -> safe epsilon delta near (fun data => post (through hear say) (opening data)).
Proof.
  intros D X Y A B epsilon delta near opening hear say H n next.
  specialize (H n (fun l => option_map hear (next (map say l)))).
  eapply private_ext; [|exact (private_post _ _ _ _ _ _ _ (map say) H)].
  intros data. cbv beta. rewrite !post_post. apply map_ext. intros [p w]. cbn [fst snd]. f_equal.
  symmetry. exact (alone_through X Y A B hear say n next p []).
Qed.

(* A release that says the same whenever it is asked. *)
Theorem once_safe : one_answer_is_safe.
Proof.
  intros D X A epsilon delta near release H n next.
  eapply private_ext; [|exact (private_post _ _ _ _ _ _ _ (fun a => alone n next (once a) []) H)].
  intros data. cbv beta. symmetry. apply post_post.
Qed.

(* What the theorem asks of the openings, of one request. *)
Definition safe_request {D X B} (near : D -> D -> Prop) (r : @request D X B) : Prop :=
  match r with Open e d opening _ _ => safe (Q2R e) (Q2R d) near opening | Go _ _ => True end.

Lemma openings_are_safe : forall D X B near (next : list (option B) -> option (@request D X B)),
  (forall seen, match next seen with Some r => safe_request near r | None => True end) ->
  forall seen Y A e d opening hear say, next seen = Some (@Open _ _ _ Y A e d opening hear say) ->
  safe (Q2R e) (Q2R d) near opening.
Proof. intros D X B near next H seen Y A e d opening hear say E. specialize (H seen). rewrite E in H. exact H. Qed.
