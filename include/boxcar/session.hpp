// A session is the scope in which a conveyor carries items.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <exception>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

namespace boxcar {

class session;

namespace detail {

struct stays_in_place {};

class session_owner;

// A session slot is the pointer from a conveyor or stream to the scope of its session. A class
// without virtual functions has the pointer, as compilers warn of a polymorphic class whose
// destructor a friend could call (-Wnon-virtual-dtor).
class session_slot {
 public:
  session_slot(const session_slot&) = delete;
  session_slot& operator=(const session_slot&) = delete;

 protected:
  session_slot() = default;
  ~session_slot() = default;

  // `release_session` and `lose_session` end the link to the session. Precondition: called before
  // the owner is destroyed or another owner takes its place. After `release_session` the session is
  // over, and its scope, if not left yet, has nothing to do; after `lose_session` the session is
  // lost, and the end of its scope throws the text.
  void release_session() noexcept;
  void lose_session(std::string&& text) noexcept;
  // Returns whether a scope of a session is not left yet.
  [[nodiscard]] bool has_session() const { return session_ != nullptr; }

 private:
  friend session;
  friend session_owner;
  session* session_ = nullptr;
};

// A session owner carries items in a session: a conveyor or a stream. The owner and the scope of
// the session point at each other, and so both may be moved.
class session_owner : public session_slot {
 public:
  // Called when a session is left, `quietly` if by an exception. A complete conveyor is reset,
  // unless quietly. If the conveyor is not complete, the world fails, and `leave` throws
  // contract_error unless quietly.
  virtual void leave(bool quietly) = 0;

 protected:
  session_owner() = default;
  ~session_owner() = default;

  // Takes over the scope of the session of `other`. Precondition: this owner has no session.
  void take_session(session_owner& other) noexcept;
};

}  // namespace detail

// The scope of a session. Leaving the scope resets the conveyor (collective) if the conveyor is
// complete; otherwise leaving throws contract_error, and the world fails. If an exception leaves
// the scope, the exception passes: a complete conveyor stays complete until `reset`, and if the
// conveyor is not complete, the world fails.
//
// The session moves with its conveyor. Destroying a conveyor in the middle of a session makes the
// world fail, and the end of the scope throws contract_error.
//
// A session can be moved: into a member of a class, std::optional or a container. The conveyor then
// belongs to the scope of the new object, and the moved-from session does nothing. Move assignment
// first leaves the former session of the object. Members of the standard library let no exception
// of a destructor pass: an unfinished session in std::optional or std::vector ends the program
// where the scope of the session would throw.
class [[nodiscard]] session {
 public:
  explicit session(detail::session_owner& conveyor)
      : owner_(&conveyor), exceptions_(std::uncaught_exceptions()) {
    conveyor.release_session();  // the former session is over, or there would be no new session
    conveyor.session_ = this;
  }
  // The scope of an owner that is neither moved nor destroyed during the life of the session.
  session(detail::session_owner& conveyor, detail::stays_in_place)
      : owner_(&conveyor), exceptions_(std::uncaught_exceptions()) {}
  session(session&& other) noexcept : exceptions_(std::uncaught_exceptions()) { take_over(other); }
  // Collective if there is a session to leave. Throws contract_error if the former session of the
  // object is not complete; `other` then remains unchanged.
  session& operator=(session&& other) {
    if (this == &other) return *this;
    leave();
    exceptions_ = std::uncaught_exceptions();
    take_over(other);
    return *this;
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() noexcept(false) { leave(); }

 private:
  friend detail::session_slot;
  friend detail::session_owner;

  void leave() {
    const bool unwinding = std::uncaught_exceptions() > exceptions_;
    if (owner_ != nullptr) {
      detail::session_owner* const owner = std::exchange(owner_, nullptr);
      owner->session_ = nullptr;
      owner->leave(unwinding);
    } else if (!lost_.empty()) {
      const std::string text = std::exchange(lost_, {});
      if (!unwinding) throw contract_error(text);
    }
  }
  // Precondition: this session has neither an owner nor a lost session.
  void take_over(session& other) noexcept {
    owner_ = std::exchange(other.owner_, nullptr);
    lost_ = std::exchange(other.lost_, {});
    if (owner_ != nullptr && owner_->session_ == &other) owner_->session_ = this;
  }

  detail::session_owner* owner_ = nullptr;  // null: there is nothing to leave
  int exceptions_;
  std::string lost_;  // how the session was lost; empty: the session is not lost
};

inline void detail::session_slot::release_session() noexcept {
  if (session_ == nullptr) return;
  session_->owner_ = nullptr;
  session_ = nullptr;
}

inline void detail::session_slot::lose_session(std::string&& text) noexcept {
  if (session_ != nullptr) session_->lost_ = std::move(text);
  release_session();
}

inline void detail::session_owner::take_session(session_owner& other) noexcept {
  session_ = std::exchange(other.session_, nullptr);
  if (session_ != nullptr) session_->owner_ = this;
}

}  // namespace boxcar
