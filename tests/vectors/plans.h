/* Small plans, certified by the core; what `fumata plan --epsilon 6 --delta 1e-3 ... --c --name NAME` printed. */
static const uint64_t meter_plan_silence[46] = {
    0xfffab0743fd5001du, 0xff919b75218e9098u, 0xfcba547f629427c0u, 0xf33b83b6820bf200u, 0xdfd5986b10016600u,
    0xc361e10d6fb8d200u, 0xa2134405f404e000u, 0x80b52dad7f80f800u, 0x62b829efcacfb000u, 0x49bdae95f70df800u,
    0x3603c8c453696400u, 0x2701d23db695f000u, 0x1be2375322d30500u, 0x13c9d28d2618e300u, 0x0df8bd017db5af00u,
    0x09d4488194974500u, 0x06e5c458de60d1c0u, 0x04d4e8998d22a3c0u, 0x03615f7467e68320u, 0x025ce9901b6fc840u,
    0x01a696e32dd84650u, 0x0127182f1b49d520u, 0x00ce00fb469c6520u, 0x008fc7cfdfd84850u, 0x00645657c99b2f30u,
    0x0046036c6bc42e90u, 0x0030d9bc5b2da2d0u, 0x00221537f119260cu, 0x0017c75aaedc721du, 0x001096e294d03518u,
    0x000b92d1df18b228u, 0x000812f942450c65u, 0x0005a1fc7fbb5ddfu, 0x0003edf83d334859u, 0x0002bdca2442c29au,
    0x0001e995ab917533u, 0x0001558b7f24a9d2u, 0x0000ee44d30debe0u, 0x0000a6389dbcb6f3u, 0x000073f58b7a55b7u,
    0x000050e5366a480eu, 0x0000386f24ef9e8cu, 0x0000275e9a5e5c37u, 0x00001b77063a1d30u, 0x00001328f9a67f3cu,
    0x0000100000000000u};
static const fumata_meter_plan meter_plan = {meter_plan_silence, 46u, 5u};
static const fumata_claim meter_claim = {6u, 1u, 1u, 1000u, 3u, 0x3a80482c7u, 0x0u};
static const uint64_t toll_plan_named[7] = {0xcf6113ee15bd2a00u, 0xf26dbfc4f8093180u, 0xfd7e452fa63a2d40u,
                                            0xffbc2059c8eb528cu, 0xfffc99c8ae558c2bu, 0xffffefeec8c27407u,
                                            0xfffff00000000000u};
static const fumata_toll_plan toll_plan = {toll_plan_named, 7u, 6u};
static const fumata_claim toll_claim = {6u, 1u, 1u, 1000u, 4u, 0x0u, 0x93d910e81u};
static const uint64_t poll_plan_named[6] = {0xedcd7b6805d1c100u, 0xfddf16d7901a9280u, 0xffcc92181d5b7c06u,
                                            0xfffc2aa5f8f4cc0fu, 0xffffc794623397b5u, 0xfffff00000000000u};
static const fumata_toll_plan poll_plan = {poll_plan_named, 6u, 3u};
static const fumata_claim poll_claim = {6u, 1u, 1u, 1000u, 11u, 0x0u, 0x8d61a8d50ee2180u};
static const uint64_t classic_plan_threshold[12] = {0x00006e222e4d9c9fu, 0x000129ba5844bed3u, 0x000324dbcc10fdedu,
                                                    0x00087fcd9e82833au, 0x0016f9ed5b040526u, 0x003e1cd35ae0ccccu,
                                                    0x00a7e946501f3420u, 0x01c5eba436d71480u, 0x04cb197d711c4380u,
                                                    0x0cf5433169ab0f00u, 0x2307acd6113e0600u, 0x5eb2a3a63de33000u};
static const uint64_t classic_plan_query[28] = {
    0x00000f11f99eef42u, 0x000018c7370c597fu, 0x000028bd672bf8b9u, 0x000042fbd779ac1eu, 0x00006e222e4d99dcu,
    0x0000b51460d120e1u, 0x000129ba5844bc10u, 0x0001e984ddf8a943u, 0x000324dbcc10fb2bu, 0x00052b5599e1884au,
    0x00087fcd9e828078u, 0x000df96ae12dc147u, 0x0016f9ed5b040265u, 0x0025c6f62b080772u, 0x003e1cd35ae0ca0au,
    0x00661fdbde193858u, 0x00a7e946501f3158u, 0x011413a2ac24b410u, 0x01c5eba436d711d0u, 0x02ea53fdc2e97180u,
    0x04cb197d711c4100u, 0x07e1935b630b2600u, 0x0cf5433169ab0c00u, 0x154e2f5158870700u, 0x2307acd6113e0400u,
    0x39987e8d390d6c00u, 0x5eb2a3a63de33000u, 0x9bb3529c94dbf000u};
static const fumata_classic_plan classic_plan = {
    {classic_plan_threshold, 12u, -12}, {classic_plan_query, 28u, -28}, 9, 3u};
static const fumata_claim classic_claim = {6u, 1u, 1u, 1000u, 52u, 0x0u, 0x0u};
