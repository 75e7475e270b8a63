package io.jobqueue.sample.signup;

import java.net.URI;
import java.util.List;

import jakarta.validation.Valid;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Signups over HTTP.
 */
@RestController
@RequestMapping("/signups")
class SignupController {

	private static final int LATEST = 50;

	private final Signups signups;

	private final SignupRepository repository;

	SignupController(Signups signups, SignupRepository repository) {
		this.signups = signups;
		this.repository = repository;
	}

	@PostMapping
	ResponseEntity<Signup> signUp(@Valid @RequestBody Profile profile) {
		Signup signup = this.signups.signUp(profile);
		return ResponseEntity.created(URI.create("/signups/" + signup.id())).body(signup);
	}

	@GetMapping
	List<Signup> latest() {
		return this.repository.latest(LATEST);
	}

	@GetMapping("/{id}")
	Signup find(@PathVariable long id) {
		return this.repository.find(id)
			.orElseThrow(
					() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "No signup has the id %s.".formatted(id)));
	}

}
