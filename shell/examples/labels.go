// The core from Go: one ballot, one answer.   fumata plan --epsilon 2 --delta 1e-5 --silences 20 --c > my_plan.h
package main

// #cgo pkg-config: fumata
// #include "fumata.h"
// #include "my_plan.h"
// static fumata_status begin(fumata_meter *meter) { return fumata_meter_init(meter, &plan, &claim); }
import "C"
import "fmt"

func main() {
	var meter C.fumata_meter // never copy it: a copy would spend the budget twice
	var verdict C.fumata_verdict
	var answer C.int32_t
	counts := []C.uint32_t{497, 3}
	status := C.begin(&meter)
	if status == C.FUMATA_OK {
		status = C.fumata_meter_reserve(&meter, 1) // now make meter.left durable, then look
	}
	if status == C.FUMATA_OK {
		status = C.fumata_ballot_decide(&counts[0], 2, &verdict)
	}
	if status == C.FUMATA_OK {
		status = C.fumata_meter_answer(&meter, &verdict, 0x9e3779b97f4a7c15, &answer)
	}
	fmt.Printf("%s: answer %d, %d silences left\n", C.GoString(C.fumata_strerror(C.int(status))), answer, meter.left+meter.reserved)
}
